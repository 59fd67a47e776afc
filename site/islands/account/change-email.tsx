import { useQuery, useQueryClient } from "@tanstack/react-query";
import { accountWords } from "#content/account";
import { BusyButton } from "../../components/busy-button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { type FormOutcome, useForm } from "../../hooks/use-form";
import { requestEmailChange } from "../../supabase/own-account";
import styles from "./own-account.module.css";
import { account } from "./queries";
import { refusalOf } from "./refusal-of";

const text = accountWords.email;

/** Asks for another email address, which counts when both addresses have confirmed it. */
export function ChangeEmail({ email }: { email: string }) {
  const queries = useQueryClient();
  const { data } = useQuery(account);
  const { busy, notice, form } = useForm<FormOutcome>({ tone: "success", message: "" }, async (answers, fields) => {
    const address = String(answers.get("new-email")).trim();
    if (address.toLowerCase() === email.toLowerCase()) return { tone: "error", message: text.same };
    const requested = await requestEmailChange(address);
    if (!requested.ok) return { tone: "error", message: refusalOf(requested, text.failed) };
    await queries.invalidateQueries();
    fields.reset();
    return { tone: "success", message: text.sent };
  });

  return (
    <section>
      <h2>{text.title}</h2>
      <p className={`soft ${styles.lead}`}>{text.lead}</p>
      <Notice {...notice} />
      {data?.newEmail && <p className={`marked ${styles.remark}`}>{text.waiting(data.newEmail, email)}</p>}
      <form className="stack" {...form}>
        <Field label={text.label} name="new-email" type="email" autoComplete="email" required />
        <BusyButton type="submit" busy={busy} busyLabel={text.busy}>
          {text.submit}
        </BusyButton>
      </form>
    </section>
  );
}
