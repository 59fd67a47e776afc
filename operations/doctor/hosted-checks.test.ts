import { expect, test } from "vitest";
import { publicKey, startAuth } from "#tests/support/auth-server";
import { linesOf } from "#tests/support/findings";
import { checkHosted } from "./hosted-checks.ts";

/** The hosted project: this product's own two APIs. */
const server = await startAuth();
const member = await server.member();
const chief = await server.member();
await server.database.owner.query("insert into user_roles (user_id, role) values ($1, 'admin')", [chief.user.id]);
await server.database.as({ role: "anon" }, (db) =>
  db.query("insert into contacts (name, company, email, interest) values ('A', 'B', 'a@b.example', 'consulting')"),
);

const check = async (key = publicKey, url = server.url) => linesOf(await checkHosted({ url, key }, member));
const sessions = async () => (await server.database.owner.query("select from auth.sessions")).rowCount;

test("a project as the migrations leave it is closed to a stranger and to a user, and stays as it was", async () => {
  const before = [await sessions(), (await server.database.owner.query("select * from contacts")).rows];
  expect(await check()).toEqual([
    "ok A stranger neither reads nor changes contacts or roles.",
    "ok A user without a role neither reads nor changes contacts or roles.",
  ]);
  expect([await sessions(), (await server.database.owner.query("select * from contacts")).rows]).toEqual(before);
});

test("an open table and open roles of a project are told", async () => {
  const { owner } = server.database;
  await owner.query(
    `create policy open on contacts using (true); grant select, update, delete on contacts to anon;
     grant insert on contacts to anon; grant select on user_roles to authenticated;
     create policy open on user_roles for select to authenticated using (true)`,
  );
  try {
    expect(await check()).toEqual([
      "BROKEN A stranger reads contacts.",
      "BROKEN A stranger may change contacts.",
      "BROKEN A stranger may delete contacts.",
      "BROKEN A stranger may choose the id of a contact.",
      "BROKEN A user without a role reads contacts.",
      "BROKEN A user without a role reads user_roles.",
    ]);
  } finally {
    await owner.query(
      `drop policy open on contacts; revoke all on contacts from anon;
       grant insert (name, company, email, interest) on contacts to anon;
       drop policy open on user_roles; revoke select on user_roles from authenticated`,
    );
  }
});

test("a wrong key, an address that does not answer, and a wrong password are told in a sentence", async () => {
  expect(await check("sb_publishable_wrong")).toEqual([
    expect.stringMatching(/^BROKEN The project at \S+ answers 401: /),
  ]);
  expect(await check(publicKey, "http://127.0.0.1:9")).toEqual([
    expect.stringMatching(/^BROKEN The project at http:\/\/127\.0\.0\.1:9 answers nothing: /),
  ]);
  const findings = await checkHosted({ url: server.url, key: publicKey }, { ...member, password: "wrong wrong" });
  expect(linesOf(findings).at(-1)).toBe("look The account cannot log in: Invalid login credentials.");
});

test("an account that is an admin is not taken for a user", async () => {
  const findings = await checkHosted({ url: server.url, key: publicKey }, chief);
  expect(linesOf(findings).at(-1)).toMatch(/^look The account is an admin/);
});
