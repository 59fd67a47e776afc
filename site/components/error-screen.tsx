import { pageMessages } from "#content/messages";
import styles from "./error-screen.module.css";

/** The generic fallback of specification section 2: the fixed heading, and the status text or message below it. */
export function ErrorScreen({ message }: { message: string }) {
  return (
    <div className={styles.screen} role="alert">
      <h2>{pageMessages.unexpected}</h2>
      <p data-error-message>{message}</p>
    </div>
  );
}
