import { workWords } from "#content/contact-work";
import { Button } from "../../components/button";
import { Dialog } from "../../components/dialog";
import styles from "./deletion-dialog.module.css";

const text = workWords.deletion;

interface DeletionDialogProps {
  count: number;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before several contacts are deleted. The button that deletes nothing has the focus first. */
export function DeletionDialog({ count, onConfirm, onClose }: DeletionDialogProps) {
  return (
    <Dialog title={text.title(count)} onClose={onClose}>
      <p>{text.text}</p>
      <form method="dialog" className={styles.buttons}>
        <Button type="submit" variant="tool">
          {text.cancel}
        </Button>
        <Button type="submit" variant="danger" small onClick={onConfirm}>
          {text.confirm(count)}
        </Button>
      </form>
    </Dialog>
  );
}
