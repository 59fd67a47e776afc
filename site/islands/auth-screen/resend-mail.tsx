import { startTransition, useActionState, useRef } from "react";
import { mailAgainWords } from "#content/auth";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import styles from "./auth-screen.module.css";
import { askForMail } from "./mail-actions";
import type { Next } from "./steps";

interface MailAgainProps {
  about: "signup" | "recovery";
  email: string;
  go: (next: Next) => void;
}

/** Sends a mail once more to an address that was just typed; its code comes next. */
export function ResendMail({ about, email, go }: MailAgainProps) {
  const notice = useRef<HTMLParagraphElement>(null);
  const [error, send, sending] = useActionState(async () => {
    const outcome = await askForMail(about, email);
    if ("error" in outcome) return outcome.error;
    go(outcome.next);
    return "";
  }, "");
  const late = useDelayedPending(sending);
  useFocusOn(notice, sending ? "" : error);

  return (
    <div className={styles.again}>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {sending ? "" : error}
      </Notice>
      {/* Not disabled while it sends, or it would lose the focus. */}
      <Button variant="quiet" aria-disabled={sending} onClick={() => !sending && startTransition(send)}>
        {late ? mailAgainWords.sending : mailAgainWords.send}
      </Button>
      <p className={styles.remark}>{mailAgainWords.wait}</p>
    </div>
  );
}
