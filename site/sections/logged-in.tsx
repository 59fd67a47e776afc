import { authMessages } from "#content/messages";
import styles from "./logged-in.module.css";

/** Hidden and empty, until site/scripts/say-logged-in.ts fills it in after a login. */
export function LoggedIn() {
  return <p className={styles.notice} role="status" data-logged-in={authMessages.loggedIn} hidden />;
}
