import type { QueryClient } from "@tanstack/react-query";
import { workWords } from "#content/inbox";
import {
  type Change,
  changeContacts,
  deleteContacts,
  deleteContactsOnLeaving,
} from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import type { Failure } from "../../../supabase/result";
import { reloadContacts, removeFromCache, replaceInCache } from "../query-cache";

const undoSeconds = 10;
const text = workWords.outcome;

/** The key of all mutations that the list shows before the server has answered. */
export const changeKey = ["contact-change"];
export const stateChangeKey = [...changeKey, "state"];

/** What changes, by id. Contacts that are being deleted are not shown. */
export type PendingChange = ReadonlyMap<string, Change | "deleted">;

/** With `from`, a contact is left alone that another administrator has changed since. */
interface Step {
  to: Change;
  from?: Change;
}

/** What happened last, as a sentence, and whether it can be undone. */
export interface ChangeNotice {
  tone: "success" | "error";
  message: string;
  canUndo: boolean;
}

interface Undoable {
  /** Names the contacts. */
  who: string;
  message: string;
  undo: () => void;
  /** Sends a deletion. A change of states has been sent already. */
  send?: (call: typeof deleteContacts) => void;
  timer?: ReturnType<typeof setInterval>;
}

interface Options {
  onNotice: (notice: ChangeNotice | undefined) => void;
  /** While it returns true, the time for the undo stands still (WCAG 2.2.1). */
  isHeld: () => boolean;
}

/**
 * Changes states and deletes contacts, each with ten seconds to undo it (docs/specification.md#undo). Each change is a
 * mutation, pending until the server has answered.
 */
export class UndoableChanges {
  readonly #queries: QueryClient;
  readonly #options: Options;
  readonly #undoables: Undoable[] = [];
  #noticeTimer?: ReturnType<typeof setInterval>;

  constructor(queries: QueryClient, options: Options) {
    this.#queries = queries;
    this.#options = options;
  }

  /** Contacts that are in the state already stay as they are. */
  changeState(contacts: readonly StoredContact[], state: ContactState) {
    const changed = contacts.filter((contact) => contact.state !== state);
    if (changed.length === 0) return;
    const who = namesOf(changed);
    const wasSpam = state === "new" && changed.every((contact) => contact.state === "spam");
    const undoable: Undoable = {
      who,
      message: (wasSpam ? text.notSpam : text[state])(who),
      undo: () => this.#send(new Map(changed.map((one) => [one.id, { to: { state: one.state }, from: { state } }]))),
    };
    this.#send(new Map(changed.map(({ id }) => [id, { to: { state } }])), undoable);
    this.#say("", undoable);
  }

  /** Gives the contacts to an administrator, unless another one was faster; null for nobody. `name` tells who gets them. */
  assign(contacts: readonly StoredContact[], handler: string | null, name: string) {
    const given = contacts.filter((contact) => contact.handled_by !== handler);
    if (given.length === 0) return;
    const who = namesOf(given);
    const to = { handled_by: handler };
    const steps = given.map(({ id, handled_by }) => [id, { to, from: { handled_by } }] as const);
    const undoable: Undoable = {
      who,
      message: text.assigned(name, who),
      undo: () => this.#send(new Map(steps.map(([id, step]) => [id, { to: step.from, from: step.to }]))),
    };
    this.#send(new Map(steps), undoable);
    this.#say("", undoable);
  }

  /** The request is sent when the time for the undo is over. */
  delete(contacts: readonly StoredContact[]) {
    const ids = contacts.map(({ id }) => id);
    const who = namesOf(contacts);
    const sent = Promise.withResolvers<Failure | "undone" | undefined>();
    this.#mutate(new Map(ids.map((id) => [id, "deleted"])), {
      mutationKey: [...changeKey, "deletion"],
      mutationFn: async () => {
        const answer = await sent.promise;
        if (!answer) removeFromCache(this.#queries, ids);
        else if (answer !== "undone") this.#fail(answer);
      },
    });
    this.#say("", {
      who,
      message: text.deleted(who),
      undo: () => sent.resolve("undone"),
      send: (call) => sent.resolve(call(ids)),
    });
  }

  undo() {
    const last = this.#undoables.at(-1);
    if (!last) return;
    this.#forget(last);
    last.undo();
    this.#say(text.undone(last.who));
  }

  /** Sends the deletions at once, because a page that is hidden or left may never run again. */
  sendDeletions() {
    const deletions = this.#undoables.filter(({ send }) => send);
    for (const undoable of deletions) {
      this.#forget(undoable);
      undoable.send?.(deleteContactsOnLeaving);
    }
    // The notice offers no undo of them.
    const last = deletions.at(-1);
    if (last) this.#say(last.message);
  }

  dismiss() {
    clearInterval(this.#noticeTimer);
    this.#options.onNotice(undefined);
  }

  #send(steps: ReadonlyMap<string, Step>, undoable?: Undoable) {
    newest = this.#mutate(new Map([...steps].map(([id, { to }]) => [id, to])), {
      mutationKey: stateChangeKey,
      // One request after the other, so that an undo cannot overtake the change that it undoes.
      scope: { id: "contact states" },
      mutationFn: async () => {
        let changed = 0;
        let failure: Failure | undefined;
        for (const [step, alike] of Map.groupBy(steps, ([, step]) => JSON.stringify(step))) {
          const { to, from }: Step = JSON.parse(step);
          const ids = alike.map(([id]) => id);
          const result = await changeContacts(ids, to, from);
          replaceInCache(this.#queries, result.contacts);
          changed += result.contacts.length;
          failure ??= result.failure;
        }
        // What was not changed cannot be undone.
        if (undoable && changed === 0) this.#forget(undoable);
        if (failure) this.#fail(failure);
        else if (changed < steps.size) this.#fail({ ok: false, message: text.missing(steps.size - changed) });
      },
    });
  }

  #mutate(
    change: PendingChange,
    options: { mutationKey: string[]; scope?: { id: string }; mutationFn: () => Promise<void> },
  ): Promise<void> {
    const onError = (error: unknown) => {
      console.error(error);
      this.#fail({ ok: false });
    };
    const mutations = this.#queries.getMutationCache();
    const mutation = mutations.build<void, Error, PendingChange, unknown>(this.#queries, { ...options, onError });
    return mutation.execute(change).catch(() => {});
  }

  #forget(undoable: Undoable) {
    clearInterval(undoable.timer);
    const index = this.#undoables.indexOf(undoable);
    if (index >= 0) this.#undoables.splice(index, 1);
  }

  /**
   * Shows `outcome` and the newest change that can still be undone, whose ten seconds begin anew. `added` is a change that
   * can be undone from now on.
   */
  #say(outcome: string, added?: Undoable) {
    if (added) this.#undoables.push(added);
    const last = this.#undoables.at(-1);
    if (last) {
      clearInterval(last.timer);
      last.timer = this.#startTimer(() => {
        this.#forget(last);
        last.send?.(deleteContacts);
      });
    }
    clearInterval(this.#noticeTimer);
    this.#noticeTimer = this.#startTimer(() => this.dismiss());
    const message = [outcome, last?.message].filter(Boolean).join(" ");
    this.#options.onNotice({ tone: "success", message, canUndo: Boolean(last) });
  }

  /** An error stays until a person dismisses it or changes something else. */
  #fail({ unanswered, message = text.failed }: Failure) {
    clearInterval(this.#noticeTimer);
    this.#options.onNotice({ tone: "error", message: unanswered ? text.unanswered : message, canUndo: false });
    reloadContacts(this.#queries);
  }

  /** Calls `end` when the time for the undo is over. */
  #startTimer(end: () => void) {
    let seconds = 0;
    return setInterval(() => {
      if (!this.#options.isHeld() && ++seconds === undoSeconds) end();
    }, 1000);
  }
}

/** Settles after the newest state change. They are sent one after the other, so all before it are settled too. */
let newest: Promise<void> = Promise.resolve();

/**
 * Reads a list, and reads it again if a state was changed meanwhile, because the answer may be older than the change: a
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
  return contacts.flatMap((contact) => {
    const changes = pending.flatMap((change) => change.get(contact.id) ?? []);
    return changes.includes("deleted") ? [] : Object.assign({}, contact, ...changes);
  });
}

function namesOf(contacts: readonly StoredContact[]): string {
  const [first] = contacts;
  return contacts.length === 1 && first ? first.name : text.contacts(contacts.length);
}
