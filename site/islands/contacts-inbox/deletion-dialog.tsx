import { workWords } from "#content/contact-work";
import { ConfirmDialog } from "../../components/confirm-dialog";

const text = workWords.deletion;

interface DeletionDialogProps {
  count: number;
  onConfirm: () => void;
  onClose: () => void;
}

/** Asks before several contacts are deleted. */
export function DeletionDialog({ count, ...actions }: DeletionDialogProps) {
  return (
    <ConfirmDialog title={text.title(count)} cancel={text.cancel} confirm={text.confirm(count)} {...actions}>
      <p>{text.text}</p>
    </ConfirmDialog>
  );
}
