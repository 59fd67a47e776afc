import { describe, expect, test } from "vitest";
import { createDatabase, createUser } from "#tests/support/database";
import { linesOf } from "#tests/support/findings";
import { checkAccess } from "./access-checks.ts";

const database = await createDatabase();
await createUser(database, { admin: true });

test("a migrated database is closed to strangers and users, and open to admins", async () => {
  const findings = await checkAccess(database.owner);
  expect(findings.map(({ level }) => level)).toEqual(["ok", "ok", "ok", "ok"]);
});

describe("the access checks tell of", () => {
  test.each([
    [
      "row-level security that is off",
      "alter table contacts disable row level security",
      "alter table contacts enable row level security",
      [
        "BROKEN Row-level security is off for public.contacts, and callers have rights on it.",
        "BROKEN A user without a role can change contacts.",
        "BROKEN A user without a role can delete contacts.",
        "BROKEN A user without a role reads other people's rows in public.contacts.",
      ],
    ],
    [
      "a policy that lets everyone read",
      "create policy open on contacts for select to authenticated using (true)",
      "drop policy open on contacts",
      ["BROKEN A user without a role reads other people's rows in public.contacts."],
    ],
    [
      "strangers who may read",
      "grant select on contacts to anon; create policy open on contacts for select to anon using (true)",
      "drop policy open on contacts; revoke select on contacts from anon",
      [
        "BROKEN A stranger has more rights on public.contacts than the form needs: select.",
        "BROKEN A stranger reads other people's rows in public.contacts.",
      ],
    ],
    [
      "a right of strangers on the accounts",
      "grant select on auth.users to anon",
      "revoke select on auth.users from anon",
      ["BROKEN Callers may reach auth.users (anon may select)."],
    ],
    [
      "admins who cannot change a contact",
      "revoke update (state) on contacts from authenticated",
      "grant update (state) on contacts to authenticated",
      ["BROKEN An admin cannot change a contact: the database refuses it (42501)."],
    ],
    [
      "nothing if users see an account of their own",
      `create view own_account with (security_barrier) as select email from auth.users where id = auth.uid();
       grant select on own_account to authenticated`,
      "drop view own_account",
      ["ok", "ok", "ok", "ok"].map((level) => expect.stringMatching(`^${level} `)),
    ],
    [
      "a view with the rights of its owner",
      "create view latest as select name, email from contacts; grant select on latest to anon",
      "drop view latest",
      ["BROKEN A stranger reads other people's rows in public.latest."],
    ],
    [
      "a function with the rights of its owner",
      "create function latest() returns text language sql security definer as 'select max(email) from contacts'",
      "drop function latest()",
      ["look Callers may run latest() with the rights of its owner, past all policies."],
    ],
    [
      "a function that only has the name of one that checks who calls",
      "create function has_role(text) returns text language sql security definer as 'select max(email) from contacts'",
      "drop function has_role(text)",
      ["look Callers may run has_role(text) with the rights of its owner, past all policies."],
    ],
    [
      "what another schema shows callers",
      `create schema reports; grant usage on schema reports to anon;
       create table reports.copies (email text); grant select, truncate on reports.copies to anon;
       create view reports.latest as select email from contacts; grant select on reports.latest to public;
       create function reports.newest() returns text language sql security definer as 'select max(email) from contacts'`,
      "drop schema reports cascade",
      [
        "BROKEN A stranger reads other people's rows in reports.latest.",
        "BROKEN Callers may truncate reports.copies, which no policy limits.",
        "BROKEN Row-level security is off for reports.copies, and callers have rights on it.",
        "look Callers may run reports.newest() with the rights of its owner, past all policies.",
      ],
    ],
    [
      "a contact form whose right is gone",
      "revoke insert (email) on contacts from anon",
      "grant insert (email) on contacts to anon",
      ["BROKEN A stranger cannot send a contact: the database refuses it (42501)."],
    ],
    [
      "a stranger who may choose the time of a contact",
      "grant insert (submitted_at) on contacts to anon",
      "revoke insert (submitted_at) on contacts from anon",
      ["BROKEN A stranger has more rights on public.contacts than the form needs: insert (submitted_at)."],
    ],
    [
      "users who may give themselves the role",
      `grant insert on user_roles to authenticated;
       create policy open on user_roles for insert to authenticated with check (true)`,
      "drop policy open on user_roles; revoke insert on user_roles from authenticated",
      ["BROKEN Callers may reach public.user_roles (authenticated may insert)."],
    ],
    [
      "a truncate that no policy stops",
      "grant truncate on contacts to authenticated",
      "revoke truncate on contacts from authenticated",
      ["BROKEN Callers may truncate public.contacts, which no policy limits."],
    ],
  ])("%s", async (_name, breakIt, mend, expected) => {
    await database.owner.query(breakIt);
    try {
      expect(linesOf(await checkAccess(database.owner)).sort()).toEqual([...expected].sort());
    } finally {
      await database.owner.query(mend);
    }
  });
});

test("of a has_role that takes everyone for an admin, the access checks tell before what follows from it", async () => {
  await database.owner.query(
    `alter function has_role(uuid, app_role) set schema private;
     create function has_role(_user_id uuid, _role app_role) returns boolean
     language sql stable security definer as 'select true'`,
  );
  try {
    expect(linesOf(await checkAccess(database.owner))[0]).toBe(
      "BROKEN has_role takes a user without a role for an admin, so every user reads the contacts.",
    );
  } finally {
    await database.owner.query(
      "drop function public.has_role(uuid, app_role); alter function private.has_role(uuid, app_role) set schema public",
    );
  }
});
