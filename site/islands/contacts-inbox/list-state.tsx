import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { Button } from "../../components/button";
import { BrokenStem } from "../../drawings/broken-stem";
import { ClosedGate } from "../../drawings/closed-gate";
import { EmptyLetterbox } from "../../drawings/empty-letterbox";
import { useDelayedPending } from "../../hooks/use-delayed-pending";
import styles from "./list-state.module.css";
import type { LoadError } from "./read-contacts";

interface NoListProps {
  /** Absent when there simply are no contacts yet. */
  reason?: LoadError;
  tryAgain?: () => void;
  trying?: boolean;
}

/** In place of the list: what is the matter, and what to do next. */
export function ListState({ reason, tryAgain, trying = false }: NoListProps) {
  const late = useDelayedPending(trying);
  const { drawing, message, advice } = explain(reason);
  return (
    <section className={styles.panel}>
      {drawing}
      <div className={styles.words}>
        <div role={reason ? "alert" : undefined}>
          <h2>{message}</h2>
        </div>
        <p>{advice}</p>
        {tryAgain && (
          // Not disabled while it reads, or it would lose the focus.
          <Button aria-disabled={trying} onClick={() => !trying && tryAgain()}>
            {late ? inboxMessages.loading : inboxWords.tryAgain}
          </Button>
        )}
      </div>
    </section>
  );
}

function explain(reason: LoadError | undefined) {
  if (!reason) return { drawing: <EmptyLetterbox />, message: inboxMessages.empty, advice: inboxWords.empty };
  switch (reason.why) {
    case "not-admin":
      return { drawing: <ClosedGate />, message: inboxMessages.notAdmin, advice: inboxWords.notAdmin(reason.email) };
    case "refused":
      return { drawing: <ClosedGate />, message: inboxMessages.refused, advice: inboxWords.refused };
    default:
      return {
        drawing: <BrokenStem />,
        message: reason.words ?? inboxMessages.notLoaded,
        advice: inboxWords.notLoaded,
      };
  }
}
