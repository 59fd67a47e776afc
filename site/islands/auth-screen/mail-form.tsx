import { type FormEvent, startTransition, useActionState, useRef } from "react";
import { authWords, mailWords } from "#content/auth";
import { Button } from "../../components/button";
import { Field } from "../../components/field";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import { useSession } from "../../hooks/use-session";
import styles from "./auth-screen.module.css";
import { requestMail } from "./next-step";
import { nextWithSession } from "./second-factor-step";
import type { StepProps } from "./step-types";

/** Asks for the address of a mail: for a forgotten password, or in place of a link that no longer works. */
export function MailForm({ step, go }: StepProps<"mail">) {
  const { about, email } = step;
  const notice = useRef<HTMLParagraphElement>(null);
  const [error, send, sending] = useActionState(async (_: string, address: string) => {
    const result = await requestMail(about, address);
    if ("error" in result) return result.error;
    go(result.next);
    return "";
  }, step.error);
  const showSending = useDelayedPending(sending);

  useFocusOn(notice, sending ? "" : error);
  // A step with an error does not redirect, so that the message about an expired link can be read.
  useSession({ onFound: (session) => !sending && !step.error && go(nextWithSession(session)) });

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
        {/* The button has `aria-disabled`, because `disabled` would take the focus from it during the request. */}
        <Button type="submit" aria-disabled={sending}>
          {showSending ? mailWords.sending : mailWords.send}
        </Button>
      </form>
    </>
  );
}
