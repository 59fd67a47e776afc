import type { Pool } from "pg";
import { expect, test, vi } from "vitest";
import { startAuth } from "#tests/support/auth-server";
import { textOfStatement } from "#tests/support/statement-text";

// A round trip is the largest part of the time of a small statement, and the only part that no faster machine shortens.

const server = await startAuth({ autoconfirm: true });
const { owner, caller } = server.database;

const admin = server.client();
const { data } = await admin.auth.signUp({ email: "ada@example.com", password: "a password of hers" });
await owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [data.user?.id]);
const isAdmin = { _user_id: data.user?.id, _role: "admin" };
await owner.query("create table public.notes (id int); grant select, insert on public.notes to authenticated");
// The first request of a server also reads the catalogue.
await admin.rpc("has_role", isAdmin);

/** Statements that are sent without a wait for an answer between them share a round trip. */
async function roundTripsOf(pool: Pool, work: () => PromiseLike<{ status: number; error: unknown }>) {
  const client = await pool.connect();
  let trips = 0;
  let isSending = false;
  const query = client.query.bind(client);
  const spy = vi.spyOn(client, "query").mockImplementation(((...statement: Parameters<typeof query>) => {
    if (!isSending) trips++;
    isSending = true;
    queueMicrotask(() => {
      isSending = false;
    });
    return query(...statement);
  }) as typeof query);
  // The pool gives the connection that was returned last to the next request.
  client.release();
  const { status, error } = await work();
  spy.mockRestore();
  expect(error).toBeNull();
  return [status, trips];
}

test("a visitor's contact costs one round trip to PostgreSQL", async () => {
  const contact = { name: "Ada", company: "Engines", email: "ada@example.com", interest: "consulting" };
  const insert = () => server.client().from("contacts").insert(contact);
  expect(await roundTripsOf(caller, insert)).toEqual([201, 1]);
});

test("an admin's list costs one round trip, and one more that looks up the session", async () => {
  const list = () => admin.from("contacts").select("*", { count: "exact" }).order("submitted_at").limit(50);
  expect(await roundTripsOf(caller, list)).toEqual([200, 1]);

  const lookups = vi.spyOn(owner, "query");
  expect((await list()).error).toBeNull();
  expect(lookups.mock.calls.map(([statement]) => textOfStatement(statement).includes("auth.sessions"))).toEqual([true]);
  lookups.mockRestore();
});

test("any other write costs three round trips, because its rows are counted before the commit", async () => {
  const insert = () => admin.from("notes").insert({ id: 1 }).select().single();
  expect(await roundTripsOf(caller, insert)).toEqual([201, 3]);
});
