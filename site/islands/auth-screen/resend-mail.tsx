import { startTransition, useActionState, useRef } from "react";
import { mailAgainWords } from "#content/auth";
import { Button } from "../../components/button";
import { Notice } from "../../components/notice";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import { useFocusOn } from "../../hooks/use-focus-on";
import styles from "./auth-screen.module.css";
import { requestMail } from "./next-step";
import type { Next } from "./step-types";

interface ResendMailProps {
  about: "signup" | "recovery";
  email: string;
  go: (next: Next) => void;
}

/** Sends a mail again to the address that was just typed; the next step asks for the code in the mail. */
export function ResendMail({ about, email, go }: ResendMailProps) {
  const notice = useRef<HTMLParagraphElement>(null);
  const [error, send, sending] = useActionState(async () => {
    const result = await requestMail(about, email);
    if ("error" in result) return result.error;
    go(result.next);
    return "";
  }, "");
  const showSending = useDelayedPending(sending);
  useFocusOn(notice, sending ? "" : error);

  return (
    <div className={styles.resend}>
      <Notice tone="error" ref={notice} tabIndex={-1}>
        {sending ? "" : error}
      </Notice>
      {/* The button has `aria-disabled`, because `disabled` would take the focus from it during the request. */}
      <Button variant="quiet" aria-disabled={sending} onClick={() => !sending && startTransition(send)}>
        {showSending ? mailAgainWords.sending : mailAgainWords.send}
      </Button>
      <p className={styles.remark}>{mailAgainWords.wait}</p>
    </div>
  );
}
