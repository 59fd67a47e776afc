import { useQuery, useQueryClient } from "@tanstack/react-query";
import { accountWords } from "#content/account";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { type FormOutcome, Notice } from "../../components/notice";
import { useForm } from "../../hooks/use-form";
import { requestEmailChange } from "../../supabase/own-account";
import styles from "./own-account.module.css";
import { account } from "./queries";
import { refusalOf } from "./refusal-of";

const text = accountWords.email;

/** Asks for another email address, which counts when both addresses have confirmed it. */
export function ChangeEmail({ email }: { email: string }) {
  const queries = useQueryClient();
  const { data } = useQuery(account);
  const { outcome, message, notice, busy, showBusy, onSubmit } = useForm<FormOutcome>(
    { tone: "success", message: "" },
    async (answers, form) => {
      const address = String(answers.get("new-email")).trim();
      if (address.toLowerCase() === email.toLowerCase()) return { tone: "error", message: text.same };
      const requested = await requestEmailChange(address);
      if (!requested.ok) return { tone: "error", message: refusalOf(requested, text.failed) };
      await queries.invalidateQueries();
      form.reset();
      return { tone: "success", message: text.sent };
    },
  );

  return (
    <section>
      <h2>{text.title}</h2>
      <p className={styles.lead}>{text.lead}</p>
      <Notice tone={outcome.tone} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      {data?.newEmail && <p className={styles.remark}>{text.waiting(data.newEmail, email)}</p>}
      <form className={styles.form} onSubmit={onSubmit} aria-busy={busy}>
        <Field label={text.label} name="new-email" type="email" autoComplete="email" required />
        <Button type="submit" aria-disabled={busy}>
          {showBusy ? text.busy : text.submit}
        </Button>
      </form>
    </section>
  );
}
