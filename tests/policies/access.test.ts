import { expect, test } from "vitest";
import { createDatabase } from "../support/database.ts";
import type { Attempt } from "./access-attempts.ts";
import { additionsOf, callersOf, loginOf, observeDatabase, observeRoles, seed } from "./access-database.ts";
import { differences, documented, nothing } from "./access-document.ts";
import { readInventory } from "./access-inventory.ts";

const database = await createDatabase();
const people = await seed(database);
const inventory = await readInventory(database, people.admin);
const found = differences(
  documented,
  await observeDatabase(inventory, callersOf(database, people), additionsOf(people)),
);

test("each caller may do in the database what docs/access.md says, and nothing else", () => {
  expect(found).toEqual([]);
});

test("an admin whose session owes the second factor may do what the column user says", async () => {
  await database.owner.query(
    `insert into auth.mfa_factors (user_id, factor_type, status, secret, created_at, updated_at)
     values ($1, 'totp', 'verified', 'JBSWY3DPEHPK3PXP', now(), now())`,
    [people.admin.id],
  );
  const { user: asUser } = callersOf(database, { ...people, user: people.admin });
  const observed = await observeDatabase(inventory, { user: asUser as Attempt<string> }, additionsOf(people));
  await database.owner.query("delete from auth.mfa_factors");
  // Rows about columns that only other callers may use look superfluous here, where those callers are not observed.
  expect(differences(documented, observed).filter((text) => !text.includes("remove the row"))).toEqual([]);
});

test("the roles have the attributes and memberships of docs/access.md, and no others", async () => {
  const observed = new Map([["Roles", await observeRoles(database, inventory)]]);
  expect(differences(documented, observed)).toEqual([]);
});

test("the login role authenticator itself may use no table, view, function or sequence", async () => {
  const observed = await observeDatabase(inventory, { authenticator: loginOf(database) }, {});
  const rights = [...observed.values()].flatMap((section) =>
    [...section].filter(([, row]) => row.authenticator !== nothing).map(([object, row]) => [object, row.authenticator]),
  );
  expect(rights).toEqual([
    ["database", "temporary tables"],
    ["public", "use"],
  ]);
});

test("every function in the schemas public and private has an empty search_path or needs none", async () => {
  // PostgreSQL resolved the names in a body that is no text (`prosqlbody`) when the function was created.
  const { rows } = await database.owner.query(
    `select oid::regprocedure from pg_proc
     where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
       and prosqlbody is null
       and not coalesce('search_path=""' = any (proconfig), false)`,
  );
  expect(rows).toEqual([]);
});

test("even with the right to use a closed schema, no caller may use its tables or our functions in it", async () => {
  const more = await differencesAfter(
    "grant usage on schema private, supabase_migrations to anon, authenticated, service_role",
  );
  const others = more.filter((text) => !text.includes(", Database and schemas, "));
  // A policy calls it, and it answers callers only about themselves.
  const allowed = (caller: string) =>
    `docs/access.md, Functions and sequences, private.may_read_contacts, ${caller}: documented "—", observed "execute"`;
  expect(others).toEqual([allowed("user"), allowed("admin")]);
  expect(more).toContain('docs/access.md, Database and schemas, private, anon: documented "—", observed "use"');
});

test("a new right, a new object without a row, and a row without an object are reported", async () => {
  const more = await differencesAfter(`
    grant select (email) on public.contacts to anon;
    alter table public.contacts disable row level security;
    create table public.notes (id integer generated always as identity primary key, body text);
    create view public.names as select name from public.contacts;
    grant select on public.names to authenticated;
    create function public.count_names() returns bigint language sql security definer
      as 'select count(*) from public.contacts';
    create schema extra;
    drop function public.retry_deliveries()`);
  expect(more.map((text) => text.replace("docs/access.md, ", "").replace("If its access is right, add: ", ""))).toEqual(
    [
      'Tables and views, public.contacts, Kind: documented "table", observed "table without row-level security"',
      'Tables and views, public.contacts, anon: documented "insert", observed "select all, insert"',
      'Tables and views, public.contacts, user: documented "select none, insert, update none, delete none", observed "select all, insert, update all, delete all"',
      "Tables and views: no row for public.names. | `public.names` | view, rights of the owner | — | select all | select all | — |",
      // A new table gives nobody anything until a migration grants it.
      "Tables and views: no row for public.notes. | `public.notes` | table without row-level security | — | — | — | — |",
      'Columns, public.contacts.email, anon: documented "insert", observed "select, insert"',
      "Columns: no row for public.names.name. | `public.names.name` | — | select | select | — |",
      "Functions and sequences: no row for public.count_names. | `public.count_names` | owner | execute | execute | execute | execute |",
      "Functions and sequences: no row for public.notes_id_seq. | `public.notes_id_seq` | — | — | — | — | — |",
      "Functions and sequences: remove the row of public.retry_deliveries, which does not exist.",
      "Database and schemas: no row for extra. | `extra` | — | — | — | — |",
    ],
  );
});

/** What the comparison finds in a new database only after this change. */
async function differencesAfter(sql: string): Promise<string[]> {
  const changed = await createDatabase();
  const people = await seed(changed);
  await changed.owner.query(sql);
  const inventory = await readInventory(changed, people.admin);
  const observed = await observeDatabase(inventory, callersOf(changed, people), additionsOf(people));
  return differences(documented, observed).filter((text) => !found.includes(text));
}
