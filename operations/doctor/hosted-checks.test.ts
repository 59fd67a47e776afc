import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthServer, publicKey, startAuth } from "#tests/support/auth-server";
import type { Finding } from "./finding.ts";
import { checkHosted } from "./hosted-checks.ts";

/** The hosted project: this product's own two APIs. */
let server: AuthServer;
beforeAll(async () => {
  server = await startAuth();
  await server.member();
  await server.database.as({ role: "anon" }, (db) =>
    db.query("insert into contacts (name, company, email, interest) values ('A', 'B', 'a@b.example', 'consulting')"),
  );
});
afterAll(() => server.stop());

const linesOf = (findings: readonly Finding[]) => findings.map(({ level, saw }) => `${level} ${saw}`);
const check = async (key = publicKey, url = server.url) => linesOf(await checkHosted({ url, key }));

test("a project as the migrations leave it is closed to a stranger", async () => {
  expect(await check()).toEqual(["ok A stranger neither reads nor changes contacts or roles."]);
});

test("an open table and open roles of a project are told", async () => {
  const { owner } = server.database;
  await owner.query(
    `create policy open on contacts using (true); grant select, update, delete on contacts to anon;
     grant select on user_roles to anon; create policy open on user_roles for select using (true);
     insert into user_roles select id, 'admin' from auth.users`,
  );
  try {
    expect(await check()).toEqual([
      "BROKEN A stranger reads contacts.",
      "BROKEN A stranger reads user_roles.",
      "BROKEN A stranger may change contacts.",
      "BROKEN A stranger may delete contacts.",
    ]);
  } finally {
    await owner.query(
      `drop policy open on contacts; revoke all on contacts from anon;
       grant insert (name, company, email, interest) on contacts to anon;
       drop policy open on user_roles; revoke select on user_roles from anon`,
    );
  }
});

test("a wrong key and an address that does not answer are told in a sentence", async () => {
  expect(await check("sb_publishable_wrong")).toEqual([
    expect.stringMatching(/^BROKEN The project at \S+ answers 401: /),
  ]);
  expect(await check(publicKey, "http://127.0.0.1:9")).toEqual([
    expect.stringMatching(/^BROKEN The project at http:\/\/127\.0\.0\.1:9 answers nothing: /),
  ]);
});
