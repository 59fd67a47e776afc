import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { workWords } from "#content/inbox";
import * as backend from "../../../supabase/change-contacts";
import type { ContactState, StoredContact } from "../../../supabase/read-contacts";
import { contactsKey } from "../query-cache";
import {
  type ChangeNotice,
  changeKey,
  type PendingChange,
  readSettled,
  UndoableChanges,
  withPending,
} from "./undoable-changes";

const text = workWords.outcome;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

vi.mock("../../../supabase/change-contacts", () => ({
  changeContacts: vi.fn(),
  deleteContacts: vi.fn(),
  deleteContactsOnLeaving: vi.fn(),
}));

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
    if (refuse.failure) return { contacts: [], failure: refuse.failure };
    const found = ids.flatMap((id) => stored.get(id) ?? []).filter((one) => isMatch(one, from));
    for (const one of found) stored.set(one.id, { ...one, ...to });
    return { contacts: found.map((one) => ({ ...one, ...to })) };
  });
  const remove = async (ids: readonly string[]) => {
    calls.push(`delete ${ids}`);
    await held;
    for (const id of ids) stored.delete(id);
    return refuse.failure;
  };
  vi.mocked(backend.deleteContacts).mockImplementation(remove);
  vi.mocked(backend.deleteContactsOnLeaving).mockImplementation(remove);

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
  const changes = new UndoableChanges(queries, {
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

describe("UndoableChanges", () => {
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

  test("a deletion is sent after ten seconds, and not at all after an undo", async () => {
    const { changes, calls, listed, shown, stored, seen } = setUp("new", "new");
    const [first, second] = listed;
    changes.delete(first ? [first] : []);
    expect(shown()).toEqual(["1 new"]);
    changes.undo();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual([]);
    expect(shown()).toEqual(["0 new", "1 new"]);

    changes.delete(second ? [second] : []);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(calls).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(calls).toEqual(["delete 1"]);
    expect([...stored.keys()]).toEqual(["0"]);
    expect(shown()).toEqual(["0 new"]);
    expect(seen.notice).toBeUndefined();
  });

  test("a page that is left sends its deletions at once, and they cannot be undone then", async () => {
    const { changes, calls, listed, shown } = setUp("new");
    changes.delete(listed);
    changes.sendDeletions();
    expect(calls).toEqual(["delete 0"]);
    changes.undo();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(calls).toEqual(["delete 0"]);
    expect(shown()).toEqual([]);
  });

  test("once a deletion was sent, the notice offers to undo only the change before it", async () => {
    const { changes, calls, listed, seen } = setUp("new", "new");
    const [first, second] = listed;
    changes.changeState(first ? [first] : [], "handled");
    await settle();
    changes.delete(second ? [second] : []);
    changes.sendDeletions();
    const deleted = text.deleted("Person 1");
    expect(seen.notice).toMatchObject({ message: `${deleted} ${text.handled("Person 0")}`, canUndo: true });
    changes.undo();
    await settle();
    expect(calls).toEqual(["handled 0", "delete 1", "new 0"]);

    changes.delete(first ? [first] : []);
    changes.sendDeletions();
    expect(seen.notice).toMatchObject({ message: text.deleted("Person 0"), canUndo: false });
  });

  test("each change can be undone, the last one first, and pointing at the notice stops the time", async () => {
    const { changes, calls, listed, shown, pointer, seen } = setUp("new", "new");
    const [first, second] = listed;
    changes.delete(first ? [first] : []);
    pointer.isThere = true;
    changes.delete(second ? [second] : []);
    await vi.advanceTimersByTimeAsync(60_000);
    changes.undo();
    expect(seen.notice?.message).toBe(`${text.undone("Person 1")} ${text.deleted("Person 0")}`);
    await vi.advanceTimersByTimeAsync(60_000);
    changes.undo();
    expect(seen.notice?.message).toBe(text.undone("Person 0"));
    pointer.isThere = false;
    await vi.advanceTimersByTimeAsync(60_000);
    expect(shown()).toEqual(["0 new", "1 new"]);
    expect(calls).toEqual([]);
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
