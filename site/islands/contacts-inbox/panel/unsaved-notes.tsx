import { useEffect } from "react";
import { workWords } from "#content/contact-work";
import { ContactLink } from "../contact-link";
import type { View } from "../find/view";
import { dropOldDrafts, listDrafts } from "./note-drafts";
import styles from "./note-form.module.css";

const text = workWords.note;

/** Offers the notes that this person has typed and not saved, for example because the session ended. */
export function UnsavedNotes({ userId, view }: { userId: string; view: View }) {
  useEffect(dropOldDrafts, []);
  const drafts = listDrafts(userId).filter((id) => id !== view.contact);
  const [first] = drafts;
  if (!first) return null;
  return (
    <p className={styles.unsaved}>
      {text.waiting(drafts.length)}{" "}
      <ContactLink id={first} view={view}>
        {text.open(drafts.length)}
      </ContactLink>
    </p>
  );
}
