import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import { workWords } from "#content/contact-work";
import { Button } from "../../../components/button";
import { useDelayedPending } from "../../../hooks/use-delayed-pending";
import { findContact, saveNote } from "../../../supabase/change-contacts";
import type { StoredContact } from "../../../supabase/read-contacts";
import type { Result } from "../../../supabase/result";
import { replaceInCache } from "../changes/contact-cache";
import { recheckRole } from "../require-admin";
import { dropDraft, keepDraft, readDraft } from "./note-drafts";
import styles from "./note-form.module.css";

const text = workWords.note;
const lengthMax = 5000;

/**
 * The private note of a contact. What is typed is kept in this browser until it is saved, and a note that another
 * administrator has saved meanwhile is shown beside it (docs/specification.md#notes).
 */
export function NoteForm({ contact, userId }: { contact: StoredContact; userId: string }) {
  const queries = useQueryClient();
  const field = useRef<HTMLTextAreaElement>(null);
  const [draft] = useState(() => readDraft(userId, contact.id));
  const [initialText] = useState(draft?.text ?? contact.note);
  const [isDirty, setDirty] = useState(draft !== undefined);
  /** The version that the writer has seen. */
  const [version, setVersion] = useState(draft?.version ?? contact.note_version);
  const { mutate, data, isPending, reset } = useMutation({
    throwOnError: true,
    mutationFn: async ({ note, seen }: { note: string; seen: number }): Promise<Result<StoredContact | undefined>> => {
      // The field lets no one type more, but two notes together can be longer.
      if ([...note].length > lengthMax) return { ok: false, message: text.tooLong };
      const saved = await saveNote(contact.id, note, seen);
      if (!saved.ok || saved.value) return saved;
      // Without a row, the note has another version, or there is no such contact.
      const found = await findContact(contact.id);
      if (found.ok && !found.value) await recheckRole(queries);
      return found;
    },
    onSuccess: (result, { note }) => {
      if (!result.ok || !result.value) return;
      replaceInCache(queries, [result.value]);
      if (result.value.note !== note) return;
      setVersion(result.value.note_version);
      keep(result.value);
    },
  });
  const isSaving = useDelayedPending(isPending);
  const hasNewer = contact.note_version > version;
  // Not during a save, whose answer decides; a second save would be ignored then.
  const isOvertaken = hasNewer && isDirty && !isPending;

  // Nothing was typed, or the same: the newer note takes its place.
  useEffect(() => {
    if (!hasNewer || !field.current || (isDirty && field.current.value !== contact.note)) return;
    show(contact);
  });

  /** Puts a stored note into the field. */
  function show({ note, note_version: shown }: Pick<StoredContact, "note" | "note_version">) {
    if (field.current) field.current.value = note;
    setVersion(shown);
    setDirty(false);
    dropDraft(userId, contact.id);
  }

  /** Keeps what is in the field in this browser, if it differs from the stored note. */
  function keep({ note, note_version: seen } = { ...contact, note_version: version }) {
    const typed = field.current?.value ?? "";
    setDirty(typed !== note);
    if (typed === note) dropDraft(userId, contact.id);
    else keepDraft(userId, contact.id, { text: typed, version: seen });
  }

  function save(seen = version) {
    if (isPending || !field.current) return;
    setVersion(seen);
    mutate({ note: field.current.value.toWellFormed().replaceAll("\0", ""), seen });
  }

  function keepBoth() {
    if (field.current) field.current.value = `${contact.note}\n\n${field.current.value}`;
    setVersion(contact.note_version);
    keep(contact);
    field.current?.focus();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    if (!hasNewer) save();
  }

  const message = isPending ? (isSaving ? text.saving : "") : describe();
  function describe() {
    if (data && !data.ok) return data.message ?? text.failed;
    if (data?.ok && !data.value) return text.gone;
    if (isOvertaken) return "";
    if (!isDirty) return data ? text.saved : "";
    return draft && !data ? text.restored : text.unsaved;
  }

  return (
    <form
      className={styles.form}
      method="post"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save();
      }}
    >
      <label htmlFor="contact-note">{text.label}</label>
      <p id="contact-note-hint" className={styles.hint}>
        {text.hint}
      </p>
      <textarea
        ref={field}
        id="contact-note"
        name="note"
        rows={3}
        maxLength={lengthMax}
        defaultValue={initialText}
        aria-describedby="contact-note-hint"
        onInput={() => {
          reset();
          keep();
        }}
        onKeyDown={onKeyDown}
      />
      {isOvertaken && (
        <NewerNote
          note={contact.note}
          onReplace={() => save(contact.note_version)}
          onBoth={keepBoth}
          onTheirs={() => {
            show(contact);
            field.current?.focus();
          }}
        />
      )}
      <div className={styles.end}>
        {!isOvertaken && (
          <>
            <Button type="submit" variant="tool" aria-disabled={isPending || !isDirty}>
              {text.save}
            </Button>
            {isDirty && (
              <Button
                variant="tool"
                onClick={() => {
                  show(contact);
                  reset();
                  field.current?.focus();
                }}
              >
                {text.discard}
              </Button>
            )}
          </>
        )}
        <p className={styles.outcome} role="status" data-failed={data?.ok === false || (data?.ok && !data.value)}>
          {message}
        </p>
      </div>
    </form>
  );
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
