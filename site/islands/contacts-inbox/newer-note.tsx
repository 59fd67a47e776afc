import { workWords } from "#content/contact-work";
import { Button } from "../../components/button";
import styles from "./note-form.module.css";

const text = workWords.note;

interface NewerNoteProps {
  note: string;
  onReplace: () => void;
  onBoth: () => void;
  onTheirs: () => void;
}

/** The note that another administrator has saved meanwhile, and what to do with the two. */
export function NewerNote({ note, onReplace, onBoth, onTheirs }: NewerNoteProps) {
  return (
    <div className={styles.newer}>
      <div role="alert">
        <p>{text.newer}</p>
        <blockquote>{note || text.emptied}</blockquote>
      </div>
      <div className={styles.buttons}>
        <Button variant="tool" onClick={onBoth}>
          {text.both}
        </Button>
        <Button variant="tool" onClick={onReplace}>
          {text.replace}
        </Button>
        <Button variant="tool" onClick={onTheirs}>
          {text.theirs}
        </Button>
      </div>
    </div>
  );
}
