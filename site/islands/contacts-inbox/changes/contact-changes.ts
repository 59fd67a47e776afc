import type { QueryClient } from "@tanstack/react-query";
import { workWords } from "#content/inbox";
import { type Change, changeContacts } from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import type { Failure } from "../../../supabase/result";
import { expectNews, reloadContacts, replaceInCache } from "../query-cache";

const undoSeconds = 10;
const text = workWords.outcome;

/** The key of all mutations that the list shows before the server has answered. */
export const changeKey = ["contact-change"];

/** What changes, by id. */
export type PendingChange = ReadonlyMap<string, Change>;

interface Step {
  /** As it is before the change. */
  contact: StoredContact;
  to: Change;
  /** A contact is left alone that another administrator has changed from this since. */
  from?: Change;
}

/** What happened last, as a sentence, and whether it can be undone. What can be undone ends with it. */
export interface ChangeNotice {
  tone: "success" | "error";
  message: string;
  canUndo: boolean;
}

interface Undoable {
  steps: readonly Step[];
  message: string;
}

interface Options {
  onNotice: (notice: ChangeNotice | undefined) => void;
  /** While it returns true, the time for the undo stands still (WCAG 2.2.1). */
  isHeld: () => boolean;
}

/**
 * Changes contacts, with ten seconds to undo what was changed last (docs/specification.md#undo). Each change is a
 * mutation, pending until the server has answered.
 */
export class ContactChanges {
  readonly #queries: QueryClient;
  readonly #options: Options;
  /** The last one is undone first. */
  readonly #undoables = new Set<Undoable>();
  #timer?: ReturnType<typeof setInterval>;

  constructor(queries: QueryClient, options: Options) {
    this.#queries = queries;
    this.#options = options;
  }

  /** Contacts that are in the state already stay as they are. */
  changeState(contacts: readonly StoredContact[], state: ContactState) {
    const changed = contacts.filter((contact) => contact.state !== state);
    const isBack = (former: ContactState) => state === "new" && areAll(former, changed);
    const message = isBack("spam") ? text.notSpam : isBack("deleted") ? text.restored : text[state];
    this.#change(
      changed.map((contact) => ({ contact, to: { state } })),
      message(namesOf(changed)),
    );
  }

  /** Gives the contacts to an administrator, unless another one was faster; null for nobody. `name` tells who gets them. */
  assign(contacts: readonly StoredContact[], handler: string | null, name: string) {
    const given = contacts.filter((contact) => contact.handled_by !== handler);
    this.#change(
      given.map((contact) => ({
        contact,
        to: { handled_by: handler },
        from: { handled_by: contact.handled_by },
      })),
      text.assigned(name, namesOf(given)),
    );
  }

  undo() {
    const last = [...this.#undoables].pop();
    if (!last) return;
    this.#undoables.delete(last);
    this.#send(
      last.steps.map(({ contact, to }) => ({
        contact: { ...contact, ...to },
        to: to.state ? { state: contact.state } : { handled_by: contact.handled_by },
        from: to,
      })),
    );
    this.#say(text.undone(namesOf(last.steps.map(({ contact }) => contact))));
  }

  dismiss() {
    clearInterval(this.#timer);
    this.#undoables.clear();
    this.#options.onNotice(undefined);
  }

  #change(steps: readonly Step[], message: string) {
    if (steps.length === 0) return;
    const undoable = { steps, message };
    this.#undoables.add(undoable);
    this.#send(steps, undoable);
    this.#say("");
  }

  #send(steps: readonly Step[], undoable?: Undoable) {
    const mutationFn = async () => {
      let changed = 0;
      let failure: Failure | undefined;
      for (const alike of Map.groupBy(steps, ({ to, from }) => JSON.stringify([to, from])).values()) {
        const [{ to, from } = { to: {} }] = alike;
        const ids = alike.map(({ contact }) => contact.id);
        const result = await changeContacts(ids, to, from);
        const before = alike.map(({ contact }) => contact);
        expectNews({ revisions: result.revisions, unread: unreadOf(result.contacts) - unreadOf(before) });
        replaceInCache(this.#queries, result.contacts);
        changed += result.contacts.length;
        failure ??= result.failure;
      }
      // What was not changed cannot be undone.
      if (undoable && changed === 0) this.#undoables.delete(undoable);
      if (failure) this.#fail(failure);
      else if (changed < steps.length) this.#fail({ ok: false, message: text.missing(steps.length - changed) });
    };
    const onError = (error: unknown) => {
      console.error(error);
      this.#fail({ ok: false });
    };
    // One request after the other, so that an undo cannot overtake the change that it undoes.
    const options = { mutationKey: changeKey, scope: { id: "contact changes" }, mutationFn, onError };
    const mutations = this.#queries.getMutationCache();
    const mutation = mutations.build<void, Error, PendingChange, unknown>(this.#queries, options);
    newest = mutation.execute(new Map(steps.map(({ contact, to }) => [contact.id, to]))).catch(() => {});
  }

  /** Shows `outcome` and the newest change that can still be undone, for ten seconds. */
  #say(outcome: string) {
    const last = [...this.#undoables].pop();
    const message = [outcome, last?.message].filter(Boolean).join(" ");
    this.#options.onNotice({ tone: "success", message, canUndo: last !== undefined });
    let seconds = 0;
    clearInterval(this.#timer);
    this.#timer = setInterval(() => {
      if (!this.#options.isHeld() && ++seconds === undoSeconds) this.dismiss();
    }, 1000);
  }

  /** An error stays until a person dismisses it or changes something else. */
  #fail({ unanswered, message = text.failed }: Failure) {
    clearInterval(this.#timer);
    this.#options.onNotice({ tone: "error", message: unanswered ? text.unanswered : message, canUndo: false });
    reloadContacts(this.#queries);
  }
}

/** Settles after the newest change. They are sent one after the other, so all before it are settled too. */
let newest: Promise<void> = Promise.resolve();

/**
 * Reads a list, and reads it again if a contact was changed meanwhile, because the answer may be older than the change: a
 * contact that an undo has brought back would be missing for a moment, and its row would lose the keyboard's focus.
 */
export async function readSettled<Page>(read: () => Promise<Page>): Promise<Page> {
  for (;;) {
    await newest;
    const before = newest;
    const page = await read();
    if (newest === before) return page;
  }
}

/** The contacts as they will be when the pending changes are carried out. */
export function withPending(
  contacts: readonly StoredContact[],
  pending: readonly PendingChange[],
): readonly StoredContact[] {
  if (pending.length === 0) return contacts;
  return contacts.map((contact) => Object.assign({}, contact, ...pending.map((change) => change.get(contact.id))));
}

export const areAll = (state: ContactState, contacts: readonly StoredContact[]) =>
  contacts.every((contact) => contact.state === state);

const unreadOf = (contacts: readonly StoredContact[]) => contacts.filter(({ state }) => state === "new").length;

function namesOf(contacts: readonly StoredContact[]): string {
  const [first] = contacts;
  return contacts.length === 1 && first ? first.name : text.contacts(contacts.length);
}
