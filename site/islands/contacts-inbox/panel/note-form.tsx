import { type FormEvent, type KeyboardEvent, useEffect, useEffectEvent, useRef, useState } from "react";
import { workWords } from "#content/inbox";
import { Button } from "../../../components/button";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import { saveNote } from "../../../supabase/change-contacts";
import type { StoredContact } from "../../../supabase/read-contacts";
import type { Result } from "../../../supabase/result";
import { expectNews, useSaveContact } from "../data/query-cache";
import { useUserId } from "../data/require-admin";
import panel from "./contact-panel.module.css";
import { dropDraft, keepDraft, readDraft } from "./note-drafts";
import styles from "./note-form.module.css";

const text = workWords.note;
const lengthMax = 5000;

/** The private note of a contact (docs/specification.md#notes). */
export function NoteForm({ contact }: { contact: StoredContact }) {
  const { field, initialText, isDirty, isOvertaken, isSaving, isFailed, message, ...note } = useNote(contact);

  function onSubmit(event: FormEvent) {
    event.preventDefault();
    note.save();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!isOvertaken) note.save();
  }

  return (
    <form className={`${panel.section} ${styles.form}`} method="post" onSubmit={onSubmit}>
      <label htmlFor="contact-note">{text.label}</label>
      <p id="contact-note-hint">{text.hint}</p>
      <textarea
        ref={field}
        id="contact-note"
        name="note"
        rows={3}
        maxLength={lengthMax}
        defaultValue={initialText}
        aria-describedby="contact-note-hint"
        onInput={note.onInput}
        onKeyDown={onKeyDown}
      />
      {isOvertaken && (
        <NewerNote
          note={contact.note}
          onReplace={() => note.save(contact.note_version)}
          onBoth={note.keepBoth}
          onTheirs={note.discard}
        />
      )}
      <div className={`row ${styles.end}`}>
        {!isOvertaken && (
          <Button type="submit" variant="tool" aria-disabled={isSaving || !isDirty}>
            {text.save}
          </Button>
        )}
        {!isOvertaken && isDirty && !isSaving && (
          <Button variant="tool" onClick={note.discard}>
            {text.discard}
          </Button>
        )}
        <p role="status" data-failed={isFailed}>
          {message}
        </p>
      </div>
    </form>
  );
}

/** Saves what is typed; a note that another administrator has saved meanwhile is not overwritten. */
function useNote(contact: StoredContact) {
  const { field, show, keep, setVersion, version, wasKept, ...typed } = useTypedNote(contact);
  const { mutate, data, isPending, reset } = useSaveContact(
    contact.id,
    (sent: SentNote) => sendNote(contact.id, sent),
    (saved, { note }) => {
      if (saved.note !== note) return;
      setVersion(saved.note_version);
      keep(saved);
    },
  );
  const showSaving = useDelayedPending(isPending);
  // Not while a save is on its way, because its answer tells which note is stored.
  const isOvertaken = contact.note_version > version && typed.isDirty && !isPending;

  function describe(): string {
    if (isPending) return showSaving ? text.saving : "";
    if (data && !data.ok) return data.message ?? text.failed;
    if (data?.ok && !data.value) return text.gone;
    if (isOvertaken) return "";
    if (!typed.isDirty) return data ? text.saved : "";
    return wasKept && !data ? text.restored : text.unsaved;
  }

  return {
    ...typed,
    field,
    isOvertaken,
    isSaving: isPending,
    isFailed: data && !(data.ok && data.value),
    message: describe(),
    onInput() {
      reset();
      keep({ ...contact, note_version: version });
    },
    save(seen = version) {
      if (isPending || !field.current) return;
      setVersion(seen);
      mutate({ note: field.current.value.toWellFormed().replaceAll("\0", ""), seen });
    },
    discard() {
      show();
      reset();
      field.current?.focus();
    },
    keepBoth() {
      if (field.current) field.current.value = `${contact.note}\n\n${field.current.value}`;
      setVersion(contact.note_version);
      keep(contact);
      field.current?.focus();
    },
  };
}

/** The text of the field. What is typed is kept in this browser until it is saved. */
function useTypedNote(contact: StoredContact) {
  const userId = useUserId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft] = useState(() => readDraft(userId, contact.id));
  const [initialText] = useState(draft?.text ?? contact.note);
  const [isDirty, setDirty] = useState(draft !== undefined);
  /** The version that the writer has seen. */
  const [version, setVersion] = useState(draft?.version ?? contact.note_version);

  /** Puts the stored note into the field. */
  function show() {
    if (field.current) field.current.value = contact.note;
    setVersion(contact.note_version);
    setDirty(false);
    dropDraft(userId, contact.id);
  }

  // A newer note is shown at once if nothing was typed, or the same text.
  const showNewer = useEffectEvent(show);
  const hasNewer = contact.note_version > version;
  useEffect(() => {
    if (hasNewer && (!isDirty || field.current?.value === contact.note)) showNewer();
  }, [hasNewer, isDirty, contact.note]);

  /** Keeps what is in the field, if it differs from the stored note. After the panel has closed, the draft has it. */
  function keep({ note, note_version: seen }: Pick<StoredContact, "note" | "note_version">) {
    const typed = field.current?.value ?? readDraft(userId, contact.id)?.text ?? note;
    setDirty(typed !== note);
    if (typed === note) dropDraft(userId, contact.id);
    else keepDraft(userId, contact.id, { text: typed, version: seen });
  }

  return { field, initialText, isDirty, version, setVersion, wasKept: draft !== undefined, show, keep };
}

interface SentNote {
  note: string;
  /** The version of the stored note that the writer has seen. */
  seen: number;
}

async function sendNote(id: string, { note, seen }: SentNote): Promise<Result<StoredContact | undefined>> {
  // The field accepts no longer text, but two notes together can be longer.
  if ([...note].length > lengthMax) return { ok: false, message: text.tooLong };
  const saved = await saveNote(id, note, seen);
  if (saved.ok && saved.value) expectNews({ revisions: 1 });
  return saved;
}

interface NewerNoteProps {
  note: string;
  onReplace: () => void;
  onBoth: () => void;
  onTheirs: () => void;
}

/** The note that another administrator has saved meanwhile, and what to do with the two. */
function NewerNote({ note, onReplace, onBoth, onTheirs }: NewerNoteProps) {
  return (
    <div className={`marked ${styles.newer}`}>
      <div role="alert">
        <p>{text.newer}</p>
        <blockquote>{note || text.emptied}</blockquote>
      </div>
      <div className="row">
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
