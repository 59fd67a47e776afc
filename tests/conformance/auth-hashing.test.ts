import { Readable } from "node:stream";
import { Client } from "pg";
import { afterAll, beforeEach, expect, test } from "vitest";
import type { PasswordHasher } from "#backend/auth/passwords/password-hasher";
import { create, invite, resetPassword } from "#operations/commands/admin/account-commands";
import { readSettings } from "#server/settings";
import { cheapHasher, startAuth } from "#tests/support/auth-server";

/** For each hash that the server made or compared: how many of the server's transactions were open at that moment. */
const hashes: number[] = [];
/** Counts the open transactions of the server's pool, so this connection is not from that pool. */
let observer: Client;

const hasher: PasswordHasher = {
  hash: async (secret) => recorded(() => cheapHasher.hash(secret)),
  matches: async (known, typed) => recorded(() => cheapHasher.matches(known, typed)),
};

async function recorded<Result>(work: () => Promise<Result>): Promise<Result> {
  // The job queue's connections have an `application_name`. The condition leaves them out.
  const { rows } = await observer.query(
    `select count(*)::int as open from pg_stat_activity
     where datname = current_database() and state like 'idle in transaction%' and application_name = ''`,
  );
  hashes.push(rows[0].open);
  return work();
}

const server = await startAuth({ limitsAreOn: true, hasher });
observer = new Client(server.database.connection);
await observer.connect();
afterAll(() => observer.end());
beforeEach(() => {
  hashes.length = 0;
});

const noneInTransaction = (count: number) => Array(count).fill(0);

test("/signup, /verify, /token and PUT /user compute hashes outside of database transactions", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const client = server.client();
  await client.auth.signUp({ email, password: "correct horse" });
  const [mail] = await server.mailsTo(email);
  expect(hashes).toEqual(noneInTransaction(3));

  const { error } = await client.auth.verifyOtp({ email, token: mail?.code ?? "", type: "signup" });
  expect(error).toBeNull();
  await client.auth.signInWithPassword({ email, password: "wrong horse" });
  await client.auth.signInWithPassword({ email, password: "correct horse" });
  expect(hashes).toEqual(noneInTransaction(6));

  const changed = await client.auth.updateUser({ password: "battery staple", current_password: "correct horse" });
  expect(changed.error).toBeNull();
  await server.mails();
  expect(hashes).toEqual(noneInTransaction(9));
});

test("/recover and /resend compute hashes outside of database transactions", async () => {
  const { email, client } = await server.member();
  const stranger = `${crypto.randomUUID()}@example.com`;
  await server.mails();
  hashes.length = 0;
  for (const address of [email, stranger]) {
    // Wait for each mail before the next request. Otherwise a transaction of that request could be open while the
    // mail's code is hashed, and would be counted.
    await client.auth.resetPasswordForEmail(address);
    await server.mails();
    server.clock.aheadSeconds += 61;
    await client.auth.resend({ type: "signup", email: address });
    await server.mails();
  }
  expect(hashes).toEqual(noneInTransaction(4));
});

test("the admin commands compute hashes outside of database transactions", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const given = {};
  const command = { given, settings: readSettings({}), hasher, input: Readable.from([]), note() {}, isServed: true };
  const about = { ...command, owner: server.database.owner, email };
  await create({ ...about, password: "owl feathers" });
  await server.mails();
  await resetPassword({ ...about, password: "more feathers" });
  await invite({ ...about, email: `invited-${email}`, password: "" });
  await server.mails();
  expect(hashes).toEqual(noneInTransaction(3));
});
