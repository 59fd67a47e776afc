import { workWords } from "#content/contact-work";
import type { Changed } from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import type { Failure } from "../../../supabase/result";

const undoSeconds = 10;
const text = workWords.outcome;

/** What happened last, as a sentence, and whether it can be undone. */
export interface ChangeNotice {
  tone: "success" | "error";
  message: string;
  canUndo: boolean;
}

interface Snapshot {
  pending: readonly PendingChange[];
  notice: ChangeNotice | undefined;
}

interface Backend {
  changeState: (ids: readonly string[], state: ContactState, from?: ContactState) => Promise<Changed>;
  deleteContacts: (ids: readonly string[]) => Promise<Failure | undefined>;
  deleteContactsOnLeaving: (ids: readonly string[]) => Promise<Failure | undefined>;
}

interface Cache {
  replace: (contacts: readonly StoredContact[]) => void;
  remove: (ids: readonly string[]) => void;
  reload: () => void;
}

interface Undoable {
  message: string;
  undo: () => void;
  timer?: ReturnType<typeof setInterval>;
  expire: () => void;
}

interface Deletion {
  contacts: readonly StoredContact[];
  change: PendingChange;
  undoable: Undoable;
}

/**
 * Changes states and deletes contacts, each with ten seconds to undo it (docs/specification.md#undo). A change is shown
 * at once. Requests are sent one after the other, so that an undo cannot overtake the change that it undoes.
 */
export class ContactChanges {
  readonly #backend: Backend;
  readonly #cache: Cache;
  readonly #isHeld: () => boolean;
  readonly #listeners = new Set<() => void>();
  readonly #undoables: Undoable[] = [];
  readonly #deletions = new Set<Deletion>();
  #requests: Promise<void> = Promise.resolve();
  #noticeTimer?: ReturnType<typeof setInterval>;
  #snapshot: Snapshot = { pending: [], notice: undefined };

  /** While `isHeld` returns true, the time for the undo stands still (WCAG 2.2.1). */
  constructor(backend: Backend, cache: Cache, isHeld: () => boolean) {
    this.#backend = backend;
    this.#cache = cache;
    this.#isHeld = isHeld;
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  readonly snapshot = () => this.#snapshot;

  /** Contacts that are in the state already stay as they are. */
  changeState(contacts: readonly StoredContact[], state: ContactState) {
    const changed = contacts.filter((contact) => contact.state !== state);
    if (changed.length === 0) return;
    const who = namesOf(changed);
    const message =
      changed.every((contact) => contact.state === "spam") && state === "new" ? text.notSpam : text[state];
    const undoable: Undoable = {
      message: message(who),
      undo: () => {
        this.#send(changed, (contact) => contact.state, { from: state });
        this.#say(text.undone(who));
      },
      expire: () => {},
    };
    this.#send(changed, () => state, { undoable });
    this.#offerUndo(undoable);
  }

  /** The contacts disappear at once; the request is sent when the time for the undo is over. */
  delete(contacts: readonly StoredContact[]) {
    const who = namesOf(contacts);
    const change = new Map(contacts.map(({ id }) => [id, "deleted" as const]));
    const undoable: Undoable = {
      message: text.deleted(who),
      undo: () => {
        this.#deletions.delete(deletion);
        this.#removePending(change);
        this.#say(text.undone(who));
      },
      expire: () => this.#sendDeletion(deletion, this.#backend.deleteContacts),
    };
    const deletion = { contacts, change, undoable };
    this.#deletions.add(deletion);
    this.#addPending(change);
    this.#offerUndo(undoable);
  }

  undo() {
    const last = this.#undoables.pop();
    if (!last) return;
    clearInterval(last.timer);
    last.undo();
  }

  /** Sends the deletions at once, because a page that is hidden or left may never run again. */
  sendDeletions() {
    for (const deletion of [...this.#deletions]) {
      this.#forget(deletion.undoable);
      this.#sendDeletion(deletion, this.#backend.deleteContactsOnLeaving);
    }
  }

  dismiss() {
    clearInterval(this.#noticeTimer);
    this.#update({ notice: undefined });
  }

  #send(
    contacts: readonly StoredContact[],
    stateOf: (contact: StoredContact) => ContactState,
    { from, undoable }: { from?: ContactState; undoable?: Undoable },
  ) {
    const change = new Map(contacts.map((contact) => [contact.id, stateOf(contact)]));
    this.#addPending(change);
    this.#enqueue(change, async () => {
      let changed = 0;
      let failure: Failure | undefined;
      for (const [state, ids] of groupByState(change)) {
        const result = await this.#backend.changeState(ids, state, from);
        this.#cache.replace(result.contacts);
        changed += result.contacts.length;
        failure ??= result.failure;
      }
      // What was not changed cannot be undone.
      if (undoable && changed === 0) this.#forget(undoable);
      if (failure) this.#fail(failure);
      else if (changed < contacts.length) {
        this.#sayError(text.missing(contacts.length - changed));
        this.#cache.reload();
      }
    });
  }

  #sendDeletion(deletion: Deletion, send: Backend["deleteContacts"]) {
    const { contacts, change } = deletion;
    const ids = contacts.map(({ id }) => id);
    this.#deletions.delete(deletion);
    // Not in the queue: the first part of `send` must run before the page is gone.
    const sent = send(ids);
    this.#enqueue(change, async () => {
      const failure = await sent;
      if (failure) this.#fail(failure);
      else this.#cache.remove(ids);
    });
  }

  /** An error in one change must not stop those that come after it. */
  #enqueue(change: PendingChange, work: () => Promise<void>) {
    this.#requests = this.#requests
      .then(work)
      .catch((error) => {
        console.error(error);
        this.#fail({ ok: false });
      })
      .finally(() => this.#removePending(change));
  }

  #fail(failure: Failure) {
    this.#sayError(failure.unanswered ? text.unanswered : (failure.message ?? text.failed));
    this.#cache.reload();
  }

  #offerUndo(undoable: Undoable) {
    this.#undoables.push(undoable);
    this.#say("");
  }

  /** Calls `end` when the time for the undo is over. */
  #startTimer(end: () => void) {
    let seconds = 0;
    return setInterval(() => {
      if (!this.#isHeld() && ++seconds === undoSeconds) end();
    }, 1000);
  }

  #forget(undoable: Undoable) {
    clearInterval(undoable.timer);
    const index = this.#undoables.indexOf(undoable);
    if (index >= 0) this.#undoables.splice(index, 1);
  }

  /** After an undo, the change before it can be undone next, if its time is not over; its time begins anew. */
  #say(outcome: string) {
    const last = this.#undoables.at(-1);
    clearInterval(last?.timer);
    if (last)
      last.timer = this.#startTimer(() => {
        this.#forget(last);
        last.expire();
      });
    const message = [outcome, last?.message].filter(Boolean).join(" ");
    this.#update({ notice: { tone: "success", message, canUndo: Boolean(last) } });
    clearInterval(this.#noticeTimer);
    this.#noticeTimer = this.#startTimer(() => this.dismiss());
  }

  /** An error stays until a person dismisses it or changes something else. */
  #sayError(message: string) {
    clearInterval(this.#noticeTimer);
    this.#update({ notice: { tone: "error", message, canUndo: false } });
  }

  #addPending(change: PendingChange) {
    this.#update({ pending: [...this.#snapshot.pending, change] });
  }

  #removePending(change: PendingChange) {
    this.#update({ pending: this.#snapshot.pending.filter((other) => other !== change) });
  }

  #update(changes: Partial<Snapshot>) {
    this.#snapshot = { ...this.#snapshot, ...changes };
    for (const listener of this.#listeners) listener();
  }
}

function namesOf(contacts: readonly StoredContact[]): string {
  const [first] = contacts;
  return contacts.length === 1 && first ? first.name : text.contacts(contacts.length);
}

function groupByState(change: PendingChange): Map<ContactState, string[]> {
  const groups = new Map<ContactState, string[]>();
  for (const [id, state] of change) {
    if (state !== "deleted") groups.set(state, [...(groups.get(state) ?? []), id]);
  }
  return groups;
}

/** The states, by id, in which contacts are shown while the server has not answered; "deleted" ones are not shown. */
export type PendingChange = ReadonlyMap<string, ContactState | "deleted">;

/** The contacts as they will be when the pending changes are carried out. */
export function withPending(
  contacts: readonly StoredContact[],
  pending: readonly PendingChange[],
): readonly StoredContact[] {
  if (pending.length === 0) return contacts;
  return contacts.flatMap((contact) => {
    const state = pending.reduce(
      (state: ContactState | "deleted", change) => change.get(contact.id) ?? state,
      contact.state,
    );
    if (state === "deleted") return [];
    return state === contact.state ? contact : { ...contact, state };
  });
}
