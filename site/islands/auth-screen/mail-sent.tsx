import { useEffect, useRef } from "react";
import { authWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { Notice } from "../../components/notice";
import styles from "./auth-screen.module.css";
import { MailAgain } from "./mail-again";

/** After a sign-up: what to do next, in place of the form that is done with. */
export function MailSent({ email }: { email: string }) {
  const notice = useRef<HTMLParagraphElement>(null);
  useEffect(() => notice.current?.focus(), []);

  return (
    <>
      <Notice tone="success" ref={notice} tabIndex={-1}>
        {authMessages.signedUp}
      </Notice>
      <p className={styles.sentTo}>
        {authWords.mailSent.start}
        <strong>{email}</strong>
        {authWords.mailSent.end}
      </p>
      <MailAgain email={email} />
    </>
  );
}
