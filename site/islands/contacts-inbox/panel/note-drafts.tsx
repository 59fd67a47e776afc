import { useEffect, useState } from "react";
import { workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import { withStorage } from "../../../supabase/browser-storage";
import { useUserId } from "../data/require-admin";
import { ContactLink, useInboxView } from "../find/use-inbox-view";
import styles from "./note-form.module.css";

const text = workWords.note;

/** A note that was typed and not saved. `version` is the version of the stored note that its writer had read. */
interface NoteDraft {
  text: string;
  version: number;
  /** When it was typed, in milliseconds since 1970. */
  at: number;
}

/**
 * Drafts are in local storage, because the logout clears the session storage, and a session may end while a note is
 * being typed. The user's id in the key keeps them from other accounts (docs/specification.md#notes).
 */
const prefix = "note-draft:";
const millisecondsMax = 30 * 24 * 60 * 60 * 1000;

export function readDraft(userId: string, contactId: string): NoteDraft | undefined {
  return read(keyOf(userId, contactId));
}

export function keepDraft(userId: string, contactId: string, draft: Omit<NoteDraft, "at">) {
  withStorage("localStorage", (storage) =>
    storage.setItem(keyOf(userId, contactId), JSON.stringify({ ...draft, at: Date.now() })),
  );
}

export function dropDraft(userId: string, contactId: string) {
  withStorage("localStorage", (storage) => storage.removeItem(keyOf(userId, contactId)));
}

/** The ids of the contacts for which this user has drafts. */
export function listDrafts(userId: string): string[] {
  const own = keyOf(userId, "");
  const keys = withStorage("localStorage", (storage) => Object.keys(storage).filter((key) => key.startsWith(own)));
  return (keys ?? []).map((key) => key.slice(own.length)).filter((id) => readDraft(userId, id));
}

/** Removes the old drafts of all users. */
export function dropOldDrafts() {
  withStorage("localStorage", (storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(prefix) && !read(key)) storage.removeItem(key);
  });
}

function keyOf(userId: string, contactId: string): string {
  return `${prefix}${userId}:${contactId}`;
}

/** Undefined if there is no draft or if it is too old. */
function read(key: string): NoteDraft | undefined {
  return withStorage("localStorage", (storage) => {
    const draft = JSON.parse(storage.getItem(key) ?? "null");
    const isValid = typeof draft?.text === "string" && Number.isInteger(draft.version);
    return isValid && draft.at >= Date.now() - millisecondsMax ? draft : undefined;
  });
}

/** Offers the notes that this person has typed and not saved, for example because the session ended. */
export function UnsavedNotes() {
  const userId = useUserId();
  const { view } = useInboxView();
  useEffect(dropOldDrafts, []);
  const drafts = listDrafts(userId).filter((id) => id !== view.contact);
  const [first] = drafts;
  if (!first) return null;
  return (
    <p className={`marked ${styles.unsaved}`}>
      {text.waiting(drafts.length)} <ContactLink id={first}>{text.open(drafts.length)}</ContactLink>
    </p>
  );
}

/** The text of a note whose contact has been deleted while it was typed. */
export function KeptDraft({ id }: { id: string }) {
  const userId = useUserId();
  const [draft, setDraft] = useState(() => readDraft(userId, id));
  if (!draft) return null;
  function discard() {
    dropDraft(userId, id);
    setDraft(undefined);
  }
  return (
    <>
      <p>{text.restored}</p>
      <blockquote className={styles.draft}>{draft.text}</blockquote>
      <Button variant="tool" onClick={discard}>
        {text.discard}
      </Button>
    </>
  );
}
