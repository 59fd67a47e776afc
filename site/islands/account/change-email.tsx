import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, startTransition, useActionState, useEffect, useRef } from "react";
import { accountWords } from "#content/account";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { type FormOutcome, Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import { requestEmailChange } from "../../supabase/own-account";
import styles from "./own-account.module.css";
import { account } from "./queries";
import { refusalOf } from "./refusal-of";

const text = accountWords.email;

/** Asks for another email address, which counts when both addresses have confirmed it. */
export function ChangeEmail({ email }: { email: string }) {
  const queries = useQueryClient();
  const { data } = useQuery(account);
  const form = useRef<HTMLFormElement>(null);
  const notice = useRef<HTMLParagraphElement>(null);
  const [outcome, send, busy] = useActionState(
    async (_: FormOutcome, answers: FormData): Promise<FormOutcome> => {
      const address = String(answers.get("new-email")).trim();
      if (address.toLowerCase() === email.toLowerCase()) return { tone: "error", message: text.same };
      const requested = await requestEmailChange(address);
      if (!requested.ok) return { tone: "error", message: refusalOf(requested, text.failed) };
      await queries.invalidateQueries();
      return { tone: "success", message: text.sent };
    },
    { tone: "success", message: "" },
  );
  const showBusy = useDelayedPending(busy);
  const message = busy ? "" : outcome.message;
  useFocusOn(notice, message);
  useEffect(() => {
    if (message && outcome.tone === "success") form.current?.reset();
  }, [message, outcome]);

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const answers = new FormData(event.currentTarget);
    if (!busy) startTransition(() => send(answers));
  }

  return (
    <section>
      <h2>{text.title}</h2>
      <p className={styles.lead}>{text.lead}</p>
      <Notice tone={outcome.tone} ref={notice} tabIndex={-1}>
        {message}
      </Notice>
      {data?.newEmail && <p className={styles.remark}>{text.waiting(data.newEmail, email)}</p>}
      <form ref={form} className={styles.form} onSubmit={handle} aria-busy={busy}>
        <Field label={text.label} name="new-email" type="email" autoComplete="email" required />
        <Button type="submit" aria-disabled={busy}>
          {showBusy ? text.busy : text.submit}
        </Button>
      </form>
    </section>
  );
}
