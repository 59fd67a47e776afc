import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { workWords } from "#content/inbox";
import * as backend from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import { contactsKey, isNews } from "../query-cache";
import {
  type ChangeNotice,
  ContactChanges,
  changeKey,
  type PendingChange,
  readSettled,
  withPending,
} from "./contact-changes";

const text = workWords.outcome;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

vi.mock("../../../supabase/change-contacts", () => ({ changeContacts: vi.fn() }));

/** A backend in memory, and a list that is open. `hold` stops the answers until `release`. */
function setUp(...states: ContactState[]) {
  const stored = new Map(states.map((state, index) => [`${index}`, contact(`${index}`, state)]));
  const listed = [...stored.values()];
  const calls: string[] = [];
  let held = Promise.resolve();
  let release = () => {};
  const refuse: { failure?: { ok: false; message: string }; bug?: Error | undefined } = {};
  vi.mocked(backend.changeContacts).mockImplementation(async (ids, to, from = {}) => {
    calls.push(`${to.state ?? to.handled_by} ${ids}`);
    await held;
    if (refuse.bug) throw refuse.bug;
    if (refuse.failure) return { contacts: [], revisions: 0, failure: refuse.failure };
    const found = ids.flatMap((id) => stored.get(id) ?? []).filter((one) => isMatch(one, from));
    for (const one of found) stored.set(one.id, { ...one, ...to });
    return { contacts: found.map((one) => ({ ...one, ...to })), revisions: found.length > 0 ? 1 : 0 };
  });

  const queries = new QueryClient();
  const list = new QueryObserver(queries, {
    queryKey: contactsKey,
    queryFn: () => ({ pages: [{ contacts: [...stored.values()] }] }),
    initialData: { pages: [{ contacts: listed }] },
    staleTime: Number.POSITIVE_INFINITY,
  });
  onTestFinished(list.subscribe(() => {}));
  const seen: { notice: ChangeNotice | undefined } = { notice: undefined };
  const pointer = { isThere: false };
  const changes = new ContactChanges(queries, {
    onNotice: (notice) => {
      seen.notice = notice;
    },
    isHeld: () => pointer.isThere,
  });
  const hold = () => {
    held = new Promise((done) => {
      release = done;
    });
  };
  const shown = () => {
    const pending = queries.getMutationCache().findAll({ mutationKey: changeKey, status: "pending" });
    const contacts = queries.getQueryData<{ pages: { contacts: StoredContact[] }[] }>(contactsKey)?.pages[0]?.contacts;
    const changed = pending.map(({ state }) => state.variables as PendingChange);
    return withPending(contacts ?? [], changed).map(({ id, state }) => `${id} ${state}`);
  };
  return { changes, calls, stored, listed, shown, seen, hold, release: () => release(), refuse, pointer };
}

const isMatch = (contact: StoredContact, from: backend.Change) =>
  Object.entries(from).every(([column, value]) => contact[column as keyof StoredContact] === value);

const settle = () => vi.advanceTimersByTimeAsync(0);

describe("ContactChanges", () => {
  test("a change is shown before the answer, and an undo gives each contact its former state back", async () => {
    const { changes, calls, listed, shown, hold, release, seen } = setUp("new", "handled");
    hold();
    changes.changeState(listed, "archived");
    expect(shown()).toEqual(["0 archived", "1 archived"]);
    expect(seen.notice).toMatchObject({ message: text.archived(text.contacts(2)), canUndo: true });

    changes.undo();
    expect(shown()).toEqual(["0 new", "1 handled"]);
    await settle();
    expect(calls).toEqual(["archived 0,1"]);
    release();
    await settle();
    expect(calls).toEqual(["archived 0,1", "new 0", "handled 1"]);
    expect(seen.notice?.message).toBe(text.undone(text.contacts(2)));
    expect(shown()).toEqual(["0 new", "1 handled"]);
  });

  test("an undo leaves a contact alone that another administrator has changed since", async () => {
    const { changes, listed, stored, shown, seen } = setUp("new", "new");
    changes.changeState(listed, "handled");
    await settle();
    stored.set("1", contact("1", "spam"));
    changes.undo();
    await settle();
    expect(shown()).toEqual(["0 new", "1 spam"]);
    expect(seen.notice).toMatchObject({ tone: "error", message: text.missing(1) });
  });

  test("contacts are given away unless another administrator was faster, and an undo gives them back", async () => {
    const { changes, calls, listed, stored, seen } = setUp("new", "new", "new");
    const handlers = () => [...stored.values()].map(({ handled_by }) => handled_by);
    stored.set("1", contact("1", "new", "grace"));
    changes.assign(listed, "ada", "you");
    expect(seen.notice?.message).toBe(text.assigned("you", text.contacts(3)));
    await settle();
    expect(handlers()).toEqual(["ada", "grace", "ada"]);
    expect(seen.notice).toMatchObject({ tone: "error", message: text.missing(1) });

    stored.set("0", contact("0", "new", "grace"));
    changes.undo();
    await settle();
    expect(handlers()).toEqual(["grace", "grace", null]);
    expect(seen.notice).toMatchObject({ tone: "error", message: text.missing(2) });
    expect(calls).toEqual(["ada 0,1,2", "null 0,1,2"]);
  });

  test("a refused change is taken back with the server's message, which stays", async () => {
    const { changes, listed, shown, refuse, seen } = setUp("new");
    refuse.failure = { ok: false, message: "Not today." };
    changes.changeState(listed, "spam");
    await settle();
    expect(shown()).toEqual(["0 new"]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(seen.notice).toMatchObject({ tone: "error", message: "Not today." });
  });

  test("a change that ends in an error is taken back, and the next one is sent", async () => {
    const { changes, listed, shown, refuse, seen } = setUp("new", "new");
    const [first, second] = listed;
    const logged = vi.spyOn(console, "error").mockImplementation(() => {});
    refuse.bug = new Error("A bug.");
    changes.changeState(first ? [first] : [], "spam");
    await settle();
    expect(shown()).toEqual(["0 new", "1 new"]);
    expect(seen.notice).toMatchObject({ tone: "error", message: text.failed });
    expect(logged).toHaveBeenCalledExactlyOnceWith(refuse.bug);
    logged.mockRestore();
    refuse.bug = undefined;
    changes.changeState(second ? [second] : [], "handled");
    await settle();
    expect(shown()).toEqual(["0 new", "1 handled"]);
  });

  test("a change that was not carried out cannot be undone", async () => {
    const { changes, calls, listed, refuse, seen } = setUp("new");
    refuse.failure = { ok: false, message: "Not today." };
    changes.changeState(listed, "spam");
    await settle();
    changes.undo();
    expect(calls).toEqual(["spam 0"]);
    expect(seen.notice?.message).toBe("Not today.");
  });

  test("each change can be undone for ten seconds, the last one first, and pointing at the notice stops the time", async () => {
    const { changes, calls, listed, shown, pointer, seen } = setUp("new", "spam");
    const [first, second] = listed;
    changes.changeState(first ? [first] : [], "deleted");
    pointer.isThere = true;
    changes.changeState(second ? [second] : [], "deleted");
    await vi.advanceTimersByTimeAsync(60_000);
    changes.undo();
    expect(seen.notice?.message).toBe(`${text.undone("Person 1")} ${text.deleted("Person 0")}`);
    await vi.advanceTimersByTimeAsync(60_000);
    changes.undo();
    expect(seen.notice?.message).toBe(text.undone("Person 0"));
    await settle();
    expect(shown()).toEqual(["0 new", "1 spam"]);

    pointer.isThere = false;
    changes.changeState(first ? [first] : [], "deleted");
    await vi.advanceTimersByTimeAsync(9_999);
    expect(seen.notice?.canUndo).toBe(true);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.notice).toBeUndefined();
    changes.undo();
    await settle();
    expect(calls.slice(2)).toEqual(["spam 1", "new 0", "deleted 0"]);
  });

  test("a deleted contact is restored as a new one, which is told", async () => {
    const { changes, listed, seen } = setUp("deleted", "deleted");
    changes.changeState(listed, "new");
    expect(seen.notice?.message).toBe(text.restored(text.contacts(2)));
    await settle();
  });

  test("a change of this page and its undo are no news, and a change beside them is", async () => {
    const { changes, listed } = setUp("new", "new", "spam");
    isNews({ newest_at: null, unread: 7, revision: 3 });
    changes.changeState(listed, "deleted");
    await settle();
    expect(isNews({ newest_at: null, unread: 5, revision: 4 })).toBe(false);
    changes.undo();
    await settle();
    expect(isNews({ newest_at: null, unread: 7, revision: 6 })).toBe(false);
    changes.changeState(listed, "archived");
    await settle();
    expect(isNews({ newest_at: null, unread: 6, revision: 7 })).toBe(true);
  });

  test("a list is read again until no change was under way, however many there were", async () => {
    const { changes, listed, stored } = setUp("new");
    const states = ["handled", "archived", "spam"] as const;
    let read = 0;
    const list = await readSettled(async () => {
      const seen = [...stored.values()];
      const state = states[read++];
      if (state) changes.changeState(listed, state);
      return seen;
    });
    expect(list).toMatchObject([{ state: "spam" }]);
    expect(read).toBe(4);
  });
});

function contact(id: string, state: ContactState, handledBy: string | null = null): StoredContact {
  return { id, name: `Person ${id}`, state, handled_by: handledBy } as StoredContact;
}
