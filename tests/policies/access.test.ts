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
  const schemas = "schema private, supabase_migrations";
  await database.owner.query(`grant usage on ${schemas} to anon, authenticated, service_role`);
  const observed = await observeDatabase(inventory, callersOf(database, people), additionsOf(people));
  await database.owner.query(`revoke usage on ${schemas} from anon, authenticated, service_role`);
  const more = differences(documented, observed).filter((text) => !found.includes(text));
  const others = more.filter((text) => !text.includes(", Database and schemas, "));
  // A policy calls it, and it answers callers only about themselves.
  const allowed = (caller: string) =>
    `docs/access.md, Functions and sequences, private.may_read_contacts, ${caller}: documented "—", observed "execute"`;
  expect(others).toEqual([allowed("user"), allowed("admin")]);
  expect(more).toContain('docs/access.md, Database and schemas, private, anon: documented "—", observed "use"');
});

test("a new right, an object without a row, and a row without an object are reported", () => {
  const rows = (...each: [string, Record<string, string>][]) => new Map([["Tables", new Map(each)]]);
  const document = rows(["public.contacts", { anon: "insert" }], ["public.gone", { anon: nothing }], ["auth.*", {}]);
  const observed = rows(
    ["public.contacts", { anon: "select all, insert" }],
    ["public.names", { Kind: "view", anon: nothing }],
    ["auth.users", {}],
  );
  expect(differences(document, observed)).toEqual([
    'docs/access.md, Tables, public.contacts, anon: documented "insert", observed "select all, insert"',
    "docs/access.md, Tables: no row for public.names. If its access is right, add: | `public.names` | view | — |",
    "docs/access.md, Tables: remove the row of public.gone, which does not exist.",
  ]);
});
