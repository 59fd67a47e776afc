import { Readable } from "node:stream";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { create } from "#server/cli/admin/create";
import { invite } from "#server/cli/admin/invite";
import { resetPassword } from "#server/cli/admin/reset-password";
import { readSettings } from "#server/settings";
import { type AuthServer, startAuth } from "#tests/support/auth-server";

/**
 * What each Argon2 call of the server was part of. Known by cause and not by time: a transaction of another request that
 * happens to be open does not count.
 */
const { hashes, transaction } = await vi.hoisted(async () => {
  const { AsyncLocalStorage } = await import("node:async_hooks");
  return { hashes: [] as boolean[], transaction: new AsyncLocalStorage<true>() };
});

vi.mock("#server/database/transaction", async (original) => {
  const real = await original<typeof import("#server/database/transaction")>();
  const inTransaction: typeof real.inTransaction = (pool, work, ...more) =>
    real.inTransaction(pool, (db) => transaction.run(true, () => work(db)), ...more);
  return { ...real, inTransaction };
});
vi.mock("@node-rs/argon2", async (original) => {
  const real = await original<typeof import("@node-rs/argon2")>();
  const noting = <Given extends unknown[], Result>(work: (...given: Given) => Result) => {
    return (...given: Given) => {
      hashes.push(transaction.getStore() ?? false);
      return work(...given);
    };
  };
  return { ...real, hash: noting(real.hash), verify: noting(real.verify) };
});

let server: AuthServer;
beforeAll(async () => {
  server = await startAuth({ limits: true });
});
afterAll(() => server.stop());
beforeEach(() => {
  hashes.length = 0;
});

const noneInTransaction = (count: number) => Array(count).fill(false);

test("a sign-up, its mail, a typed code, right and wrong passwords and a new one are hashed outside of transactions", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const client = server.client();
  await client.auth.signUp({ email, password: "correct horse" });
  const [mail] = await server.mailsTo(email);
  expect(hashes).toEqual(noneInTransaction(2));

  const { error } = await client.auth.verifyOtp({ email, token: mail?.code ?? "", type: "signup" });
  expect(error).toBeNull();
  await client.auth.signInWithPassword({ email, password: "wrong horse" });
  await client.auth.signInWithPassword({ email, password: "correct horse" });
  expect(hashes).toEqual(noneInTransaction(5));

  const changed = await client.auth.updateUser({ password: "battery staple", current_password: "correct horse" });
  expect(changed.error).toBeNull();
  await server.mails();
  expect(hashes).toEqual(noneInTransaction(8));
});

test("and so are mails that recover an account, or are asked for again, known or not", async () => {
  const { email, client } = await server.member();
  const stranger = `${crypto.randomUUID()}@example.com`;
  await server.mails();
  hashes.length = 0;
  for (const address of [email, stranger]) {
    await client.auth.resetPasswordForEmail(address);
    server.clock.aheadSeconds += 61;
    await client.auth.resend({ type: "signup", email: address });
  }
  await server.mails();
  expect(hashes).toEqual(noneInTransaction(4));
});

test("and so are the passwords and invitations of the admin command", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  const order = { admin: false, passwordFromStdin: true, settings: readSettings({}) };
  const typing = (password: string) => ({ ...order, input: Readable.from([password]) });
  const { owner } = server.database;
  await (await create({ ...typing("owl feathers\n"), email }))(owner);
  await (await resetPassword({ ...typing("more feathers\n"), email }))(owner);
  await (await invite({ ...typing(""), email: `invited-${email}` }))(owner);
  await server.mails();
  expect(hashes).toEqual(noneInTransaction(3));
});
