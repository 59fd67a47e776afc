import type { ReactNode } from "react";
import { Button } from "./button";
import { Dialog } from "./dialog";
import styles from "./dialog.module.css";

interface ConfirmDialogProps {
  title: string;
  cancel: string;
  confirm: string;
  onConfirm: () => void;
  onClose: () => void;
  children: ReactNode;
}

/** Asks before something that cannot be undone. The button that changes nothing has the focus first. */
export function ConfirmDialog({ title, cancel, confirm, onConfirm, onClose, children }: ConfirmDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      {children}
      <form method="dialog" className={`row ${styles.buttons}`}>
        <Button type="submit" variant="tool">
          {cancel}
        </Button>
        <Button type="submit" variant="danger" small onClick={onConfirm}>
          {confirm}
        </Button>
      </form>
    </Dialog>
  );
}
