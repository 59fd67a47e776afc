import { type QueryClient, useMutation, useMutationState, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { workWords } from "#content/inbox";
import { type Change, changeContacts } from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import type { Failure } from "../../../supabase/result";
import { expectNews, reloadContacts, replaceInCache } from "../data/query-cache";

const undoSeconds = 10;
const text = workWords.outcome;
const mutationKey = ["contact-change"];

/** The change of one contact. */
interface Step {
  /** As it is before the change. */
  contact: StoredContact;
  to: Change;
  /** The contact is left alone if another administrator has changed it from this since. */
  from?: Change;
}

interface Undoable {
  steps: readonly Step[];
  message: string;
}

/** What happened last, and what can be undone: the last change first. */
export interface ChangeNotice {
  tone: "success" | "error";
  outcome: string;
  undoables: readonly Undoable[];
  /** When a change or an undo was last made. From then on the time for the undo runs. */
  changed?: number | undefined;
}

export type Changes = ReturnType<typeof useChanges>["changes"];

/**
 * The changes that this page makes to contacts. They can be undone until ten seconds have passed without another one
 * (docs/specification.md#undo).
 */
export function useChanges() {
  const queries = useQueryClient();
  const [notice, setNotice] = useState<ChangeNotice>();
  const changed = notice?.changed;
  useEffect(() => {
    if (changed === undefined) return;
    let seconds = 0;
    const timer = setInterval(() => {
      if (!isHeld() && ++seconds === undoSeconds) setNotice(withoutUndo);
    }, 1000);
    return () => clearInterval(timer);
  }, [changed]);

  const { mutateAsync } = useMutation({
    mutationKey,
    // One request after the other, so that an undo cannot overtake the change that it undoes.
    scope: { id: "contact changes" },
    mutationFn: (steps: readonly Step[]) => send(queries, steps),
    onSuccess: ({ changed, failure }, steps) => failure && fail(failure, changed === 0 ? steps : undefined),
    onError: (error, steps) => {
      console.error(error);
      fail({ ok: false }, steps);
    },
  });

  function carryOut(steps: readonly Step[]) {
    newest = mutateAsync(steps).then(
      () => {},
      () => {},
    );
  }

  function say(outcome: string, undoables: readonly Undoable[]) {
    setNotice({ tone: "success", outcome, undoables, changed: Date.now() });
  }

  /** What was not carried out cannot be undone. */
  function fail({ unanswered, message = text.failed }: Failure, undone: readonly Step[] | undefined) {
    setNotice((before) => ({
      tone: "error",
      outcome: unanswered ? text.unanswered : message,
      undoables: before?.undoables.filter(({ steps }) => steps !== undone) ?? [],
      changed: before?.changed,
    }));
    reloadContacts(queries);
  }

  function change(steps: readonly Step[], message: string) {
    if (steps.length === 0) return;
    carryOut(steps);
    say("", [...(notice?.undoables ?? []), { steps, message }]);
  }

  const changes = {
    /** Contacts that are in the state already stay as they are. */
    changeState(contacts: readonly StoredContact[], state: ContactState) {
      const changed = contacts.filter((contact) => contact.state !== state);
      const isBack = (former: ContactState) => state === "new" && areAll(former, changed);
      const message = isBack("spam") ? text.notSpam : isBack("deleted") ? text.restored : text[state];
      const steps = changed.map((contact) => ({ contact, to: { state } }));
      change(steps, message(namesOf(steps)));
    },

    /** Gives them to an administrator, unless another one was faster; null for nobody. `name` tells who gets them. */
    assign(contacts: readonly StoredContact[], handler: string | null, name: string) {
      const steps = contacts
        .filter((contact) => contact.handled_by !== handler)
        .map((contact) => ({ contact, to: { handled_by: handler }, from: { handled_by: contact.handled_by } }));
      change(steps, text.assigned(name, namesOf(steps)));
    },

    undo() {
      const last = notice?.undoables.at(-1);
      if (!last) return;
      const back = last.steps.map(({ contact, to }) => ({
        contact: { ...contact, ...to },
        to: to.state ? { state: contact.state } : { handled_by: contact.handled_by },
        from: to,
      }));
      carryOut(back);
      say(text.undone(namesOf(back)), notice?.undoables.slice(0, -1) ?? []);
    },

    dismiss: () => setNotice(undefined),
  };
  return { changes, notice };
}

export const canUndo = (notice: ChangeNotice | undefined) => notice !== undefined && notice.undoables.length > 0;

/** The outcome, and the change that an undo would take back. */
export const messageOf = ({ outcome, undoables }: ChangeNotice) =>
  [outcome, undoables.at(-1)?.message].filter(Boolean).join(" ");

/** The notice after the time for the undo. An error stays until a person dismisses it or changes something else. */
const withoutUndo = (notice: ChangeNotice | undefined): ChangeNotice | undefined =>
  notice?.tone === "error" ? { ...notice, undoables: [] } : undefined;

/** While a person points at the notice, or has the focus in it, the time for the undo stands still (WCAG 2.2.1). */
const isHeld = () => document.querySelector("[data-last-change]:is(:hover, :focus-within)") !== null;

/** Sends the steps, those that change alike in one request. */
async function send(queries: QueryClient, steps: readonly Step[]) {
  let changed = 0;
  let failure: Failure | undefined;
  for (const alike of Map.groupBy(steps, ({ to, from }) => JSON.stringify([to, from])).values()) {
    const [{ to, from } = { to: {} }] = alike;
    const before = alike.map(({ contact }) => contact);
    const ids = before.map(({ id }) => id);
    const result = await changeContacts(ids, to, from);
    expectNews({ revisions: result.revisions, unread: unreadOf(result.contacts) - unreadOf(before) });
    replaceInCache(queries, result.contacts);
    changed += result.contacts.length;
    failure ??= result.failure;
  }
  const missing = steps.length - changed;
  if (missing > 0) failure ??= { ok: false, message: text.missing(missing) };
  return { changed, failure };
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

/** The changes that are shown although the server has not answered yet; see `withPending`. */
export function usePendingChanges(): readonly (readonly Step[])[] {
  return useMutationState({
    filters: { mutationKey, status: "pending" },
    select: ({ state }) => state.variables as readonly Step[],
  });
}

/** The contacts as they will be when the pending changes are carried out. */
export function withPending(
  contacts: readonly StoredContact[],
  pending: ReturnType<typeof usePendingChanges>,
): readonly StoredContact[] {
  if (pending.length === 0) return contacts;
  const byId = Map.groupBy(pending.flat(), ({ contact }) => contact.id);
  return contacts.map((contact) => Object.assign({}, contact, ...(byId.get(contact.id) ?? []).map(({ to }) => to)));
}

export const areAll = (state: ContactState, contacts: readonly StoredContact[]) =>
  contacts.every((contact) => contact.state === state);

const unreadOf = (contacts: readonly StoredContact[]) => contacts.filter(({ state }) => state === "new").length;

function namesOf(steps: readonly Step[]): string {
  const [first] = steps;
  return steps.length === 1 && first ? first.contact.name : text.contacts(steps.length);
}
