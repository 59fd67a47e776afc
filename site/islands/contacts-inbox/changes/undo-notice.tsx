import { workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import { useInboxCommands } from "./inbox-commands";
import styles from "./undo-notice.module.css";
import { type ChangeNotice, canUndo, messageOf } from "./use-changes";

const text = workWords.outcome;

/** Says what was done, with a button to undo it. */
export function UndoNotice({ notice }: { notice: ChangeNotice | undefined }) {
  const { changes } = useInboxCommands();
  if (!notice) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: the group is no part of a form, which a fieldset would need
    <div
      role="group"
      aria-label={text.label}
      className={`panel ${styles.notice}`}
      data-tone={notice.tone}
      data-last-change
    >
      {/* The announcement below says the same. */}
      <p>{messageOf(notice)}</p>
      {canUndo(notice) && (
        <Button variant="plain" onClick={() => changes.undo()}>
          {text.undo}
        </Button>
      )}
      {notice.tone === "error" && (
        <Button variant="plain" onClick={() => changes.dismiss()}>
          {text.dismiss}
        </Button>
      )}
    </div>
  );
}

/**
 * The live region for what was done and how many contacts are selected. It stays at one place in the document, because a
 * screen reader announces only changes inside a region that it already knows, while the notice and the bar stand where
 * there is room for them.
 */
export function ChangeAnnouncement({ notice, selected }: { notice: ChangeNotice | undefined; selected: number }) {
  return (
    <div role="status" aria-atomic="false" className="visually-hidden">
      <p>{notice && `${messageOf(notice)} ${canUndo(notice) ? text.undo : ""}`}</p>
      <p>{selected > 0 && workWords.selection.count(selected)}</p>
    </div>
  );
}
