import { type ReactNode, useId, useLayoutEffect, useRef } from "react";
import styles from "./dialog.module.css";

interface DialogProps {
  title: string;
  /** Called when the dialog was closed: by Escape, or by a button of a form with `method="dialog"`. */
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog that is open while it is mounted. The focus returns to where it was. */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // In a layout effect, so that the dialog is closed, and gives the focus back, before React removes it.
  useLayoutEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  return (
    <dialog ref={dialog} className={`floating ${styles.dialog}`} aria-labelledby={id} onClose={() => onClose()}>
      <h2 id={id}>{title}</h2>
      {children}
    </dialog>
  );
}
