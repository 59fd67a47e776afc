import { accountWords } from "#content/account";
import { Button } from "../../components/button";
import styles from "./own-account.module.css";
import { LoadError } from "./queries";

/** In place of what could not be loaded. */
export function LoadErrorNotice({ error, tryAgain }: { error: Error; tryAgain: () => void }) {
  return (
    <div className={styles.unread}>
      <p role="alert">{(error instanceof LoadError && error.words) || accountWords.failed}</p>
      <Button variant="quiet" onClick={() => tryAgain()}>
        {accountWords.tryAgain}
      </Button>
    </div>
  );
}
