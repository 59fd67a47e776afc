import { afterAll, expect, test } from "vitest";
import { createDatabase } from "../support/database.ts";

const database = await createDatabase();
afterAll(() => database.drop());

test("every table in the schema public has row-level security", async () => {
  const tables = await names(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  );
  expect(tables).toEqual(expect.arrayContaining(["contacts", "user_roles"]));
  const open = await names(`select relname as name from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relrowsecurity`);
  expect(open).toEqual([]);
});

test("in the schema public, only the view delivery_failures runs with its owner's rights", async () => {
  const views = await names(`select relname as name from pg_class where relnamespace = 'public'::regnamespace
    and (relkind = 'm' or relkind = 'v' and not coalesce('security_invoker=true' = any (reloptions), false))`);
  expect(views).toEqual(["delivery_failures"]);
});

test("has_role is the only security definer function in the schema public", async () => {
  const definers = "select proname as name from pg_proc where pronamespace = 'public'::regnamespace and prosecdef";
  expect(await names(definers)).toEqual(["has_role"]);
});

test("every function in the schemas public and private has an empty search_path", async () => {
  const wrong = await names(`select proname as name from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)
      and not coalesce('search_path=""' = any (proconfig), false)`);
  expect(wrong).toEqual([]);
});

test("anon, authenticated and authenticator cannot use the schema private or its functions", async () => {
  const roles = ["anon", "authenticated", "authenticator"];
  for (const role of roles) {
    const { rows } = await database.owner.query("select has_schema_privilege($1, 'private', 'usage') as usage", [role]);
    expect(rows).toEqual([{ usage: false }]);
    const callable = await names(`select proname as name from pg_proc
      where pronamespace = 'private'::regnamespace and has_function_privilege('${role}', oid, 'execute')`);
    expect(callable).toEqual([]);
  }
});

test("the login role authenticator cannot access tables or become postgres", async () => {
  const readable = await names(`select oid::regclass::text as name from pg_class
    where relnamespace in ('public'::regnamespace, 'auth'::regnamespace) and relkind = 'r'
      and has_table_privilege('authenticator', oid, 'select, insert, update, delete')`);
  expect(readable).toEqual([]);
  await expect(database.caller.query("select * from public.contacts")).rejects.toMatchObject({ code: "42501" });
  await expect(database.caller.query("set role postgres")).rejects.toMatchObject({ code: "42501" });
});

test("the API roles anon and authenticated cannot create tables or read auth.users", async () => {
  for (const role of ["anon", "authenticated"] as const) {
    const attempt = (sql: string) => database.as({ role }, (db) => db.query(sql));
    await expect(attempt("create table public.mine (id integer)")).rejects.toMatchObject({ code: "42501" });
    await expect(attempt("select * from auth.users")).rejects.toMatchObject({ code: "42501" });
  }
});

async function names(sql: string): Promise<string[]> {
  const { rows } = await database.owner.query<{ name: string }>(`${sql} order by name`);
  return rows.map(({ name }) => name);
}
