import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../components/button";
import { BrokenStem } from "../../drawings/broken-stem";
import { ClosedGate } from "../../drawings/closed-gate";
import { EmptyLetterbox } from "../../drawings/empty-letterbox";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import styles from "./list-state.module.css";
import type { LoadError } from "./load-contacts";

interface ListStateProps {
  /** Without an error, the state says that there are no contacts yet. */
  error?: LoadError;
  retry?: () => void;
  retrying?: boolean;
}

/** Says why there is no list and what to do next (docs/specification.md#inbox-states). */
export function ListState({ error, retry, retrying = false }: ListStateProps) {
  const showLoading = useDelayedPending(retrying);
  const { drawing, message, advice } = describe(error);
  return (
    <section className={styles.panel}>
      {drawing}
      <div className={styles.text}>
        <div role={error ? "alert" : undefined}>
          <h2>{message}</h2>
        </div>
        <p>{advice}</p>
        {retry && (
          // The button has `aria-disabled`, because `disabled` would take the focus from it during the request.
          <Button aria-disabled={retrying} onClick={() => !retrying && retry()}>
            {showLoading ? inboxMessages.loading : inboxWords.tryAgain}
          </Button>
        )}
      </div>
    </section>
  );
}

function describe(error: LoadError | undefined) {
  if (!error) return { drawing: <EmptyLetterbox />, message: inboxMessages.empty, advice: inboxWords.empty };
  switch (error.reason) {
    case "not-admin":
      return { drawing: <ClosedGate />, message: inboxMessages.notAdmin, advice: inboxWords.notAdmin(error.email) };
    case "refused":
      return { drawing: <ClosedGate />, message: inboxMessages.refused, advice: inboxWords.refused };
    default:
      return {
        drawing: <BrokenStem />,
        message: error.serverMessage ?? inboxMessages.notLoaded,
        advice: inboxWords.notLoaded,
      };
  }
}
