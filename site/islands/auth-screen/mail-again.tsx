import { startTransition, useActionState } from "react";
import { mailAgainWords } from "#content/auth";
import { sendConfirmationAgain } from "../../backend/session";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import styles from "./auth-screen.module.css";

interface Outcome {
  tone: "success" | "error";
  message: string;
}

/** Sends the confirmation once more to an address that was just typed. */
export function MailAgain({ email }: { email: string }) {
  const [outcome, send, sending] = useActionState(async (): Promise<Outcome> => {
    const answer = await sendConfirmationAgain(email);
    if (answer.ok) return { tone: "success", message: mailAgainWords.sent };
    return { tone: "error", message: answer.message ?? mailAgainWords.notSent };
  }, untouched);

  return (
    <div className={styles.again}>
      {/* Not disabled while it sends, or it would lose the focus. */}
      <Button variant="quiet" aria-disabled={sending} onClick={() => !sending && startTransition(send)}>
        {sending ? mailAgainWords.sending : mailAgainWords.send}
      </Button>
      <Notice tone={outcome.tone}>{sending ? "" : outcome.message}</Notice>
    </div>
  );
}

const untouched: Outcome = { tone: "success", message: "" };
