import { type FormEvent, startTransition, useActionState, useRef } from "react";
import { authWords, mailWords } from "#content/auth";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import { useSession } from "../../hooks/use-session";
import type { StepProps } from "./auth-screen";
import styles from "./auth-screen.module.css";
import { askForMail } from "./mail-actions";

/** Where to send the mail: for a password that was forgotten, or in place of a link that does not work any more. */
export function MailForm({ step, go }: StepProps<"mail">) {
  const { about, email } = step;
  const notice = useRef<HTMLParagraphElement>(null);
  const [error, send, sending] = useActionState(async (_: string, address: string) => {
    const outcome = await askForMail(about, address);
    if ("error" in outcome) return outcome.error;
    go(outcome.next);
    return "";
  }, step.error);
  const late = useDelayedPending(sending);

  useFocusOn(notice, sending ? "" : error);
  // Who has come with a dead link is told so, even if somebody is signed in.
  useSession({ found: () => !sending && !step.error && go({ at: "end", address: "/" }) });

  function handle(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const address = String(new FormData(event.currentTarget).get("email"));
    if (!sending) startTransition(() => send(address));
  }

  return (
    <>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {sending ? "" : error}
      </Notice>
      {!step.error && <p className={styles.lead}>{mailWords[about].text}</p>}
      <form className={styles.form} method="post" action="/auth" onSubmit={handle} aria-busy={sending}>
        <Field
          label={authWords.email}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
        />
        {/* Not disabled while it sends, or it would lose the focus. */}
        <Button type="submit" aria-disabled={sending}>
          {late ? mailWords.sending : mailWords.send}
        </Button>
      </form>
    </>
  );
}
