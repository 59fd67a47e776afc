import { useEffect } from "react";
import { workWords } from "#content/contact-work";
import { ContactLink } from "../contact-link";
import { useView } from "../find/use-view";
import { dropOldDrafts, listDrafts } from "./note-drafts";
import styles from "./note-form.module.css";

const text = workWords.note;

/** Offers the notes that this person has typed and not saved, for example because the session ended. */
export function UnsavedNotes({ userId }: { userId: string }) {
  const { view } = useView();
  useEffect(dropOldDrafts, []);
  const drafts = listDrafts(userId).filter((id) => id !== view.contact);
  const [first] = drafts;
  if (!first) return null;
  return (
    <p className={styles.unsaved}>
      {text.waiting(drafts.length)} <ContactLink id={first}>{text.open(drafts.length)}</ContactLink>
    </p>
  );
}
