import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { expect, test, vi } from "vitest";
import type { PasswordHasher } from "#backend/auth/passwords/password-hasher";
import { cheapHasher, startAuth } from "#tests/support/auth-server";
import { textOfStatement } from "#tests/support/statement-text";

/** The hash operations of the server so far. */
const hashing: string[] = [];
const hasher: PasswordHasher = {
  hash(secret) {
    hashing.push("hash");
    return cheapHasher.hash(secret);
  },
  matches(stored, secret) {
    hashing.push("compare");
    return cheapHasher.matches(stored, secret);
  },
};

const server = await startAuth({ hasher });

const password = "correct horse";
/** Makes a new email address. All have the same length, so that the tests can compare `Content-Length` as well. */
const address = () => `${randomUUID()}@example.com`;

/**
 * Makes six email addresses: `unknown` has no account, `waiting` is not yet confirmed, `contested` was signed up with
 * two passwords, `known` has a confirmed account with a second factor, `invited` was invited by an admin, and `banned`
 * may not sign in.
 */
async function addresses() {
  const waiting = address();
  await server.client().auth.signUp({ email: waiting, password });
  const { email: known, user } = await server.member();
  await server.database.owner.query(
    `insert into auth.mfa_factors (user_id, factor_type, status, secret, created_at, updated_at)
     values ($1, 'totp', 'verified', 'A', now(), now())`,
    [user.id],
  );
  const invited = address();
  await server.database.owner.query("insert into auth.users (email, invited_at) values ($1, now())", [invited]);
  const banned = (await server.member()).email;
  await server.database.owner.query("update auth.users set banned_until = 'infinity' where email = $1", [banned]);
  const contested = address();
  await server.client().auth.signUp({ email: contested, password });
  server.clock.aheadSeconds += 61;
  await requests["a sign-up"](contested);
  server.clock.aheadSeconds += 61;
  return { unknown: address(), waiting, contested, known, invited, banned };
}

/**
 * Returns the status, headers and body of a response in a form that can be compared. Ids, times, numbers and email
 * addresses differ in every response, so the name of the key where a value first appears replaces that value. A
 * repeated value gets the same name again, so two responses are equal only if their values repeat at the same keys.
 */
async function comparable(answer: Response, email: string) {
  const seen = new Map<unknown, string>([[email, "address"]]);
  const body = JSON.parse(await answer.text(), (key, value) => {
    if (typeof value === "object" || typeof value === "boolean") return value;
    if (typeof value === "string" && !/^[0-9a-f-]{36}$|^\d{4}-\d\d-\d\dT|@/.test(value)) return value;
    if (!seen.has(value)) seen.set(value, `as ${key} ${seen.size}`);
    return seen.get(value);
  });
  const headers = Object.fromEntries([...answer.headers].filter(([name]) => name !== "date"));
  return { status: answer.status, headers, body };
}

const requests = {
  "a sign-up": (email: string) =>
    server.call("/auth/v1/signup", { body: { email, password: "another horse", data: { team: "owls" } } }),
  "a sign-up within the minute": (email: string) => server.call("/auth/v1/signup", { body: { email, password } }),
  "a wrong password": (email: string) =>
    server.call("/auth/v1/token?grant_type=password", { body: { email, password: "wrong horse" } }),
  "a forgotten password": (email: string) => server.call("/auth/v1/recover", { body: { email } }),
  "another mail": (email: string) => server.call("/auth/v1/resend", { body: { email, type: "signup" } }),
  "a wrong code": (email: string) =>
    server.call("/auth/v1/verify", { body: { email, token: "12345", type: "recovery" } }),
};

test.each(Object.keys(requests) as (keyof typeof requests)[])(
  "the response to %s is the same for email addresses with and without an account",
  async (what) => {
    const { unknown, ...others } = await addresses();
    const send = async (email: string) => {
      if (what === "a sign-up within the minute") await requests["a sign-up"](email);
      return comparable(await requests[what](email), email);
    };
    const expected = await send(unknown);
    for (const email of Object.values(others)) expect(await send(email)).toEqual(expected);
    expect(server.failures).toEqual([]);
  },
);

test("a sign-up runs the same hash operations and SQL statements for every address and password", async () => {
  const { unknown, ...others } = await addresses();
  await server.mails();
  // The job queue makes the mail's code later. While the mail server is down, it stops before that.
  server.clock.mailIsDown = true;
  const query = vi.spyOn(Client.prototype, "query");
  const work = async (email: string, secret: string) => {
    query.mockClear();
    hashing.length = 0;
    const answer = await server.call("/auth/v1/signup", { body: { email, password: secret } });
    expect(answer.status).toBe(200);
    // The queue's own statements run side by side with those of the request.
    const statements = query.mock.calls
      .map(([statement]) => textOfStatement(statement))
      .filter((sql) => /auth\.|insert into private\.jobs/.test(sql));
    return { hashing: [...hashing], statements };
  };

  const expected = await work(unknown, password);
  expect(expected.hashing).toEqual(["hash", "compare"]);
  expect(expected.statements.length).toBeGreaterThan(5);
  const { waiting, ...rest } = others;
  const samePassword = await work(waiting, password);
  expect(samePassword).toEqual(expected);
  for (const email of Object.values(rest)) expect(await work(email, "another horse")).toEqual(expected);
  server.clock.aheadSeconds += 61;
  expect(await work(waiting, "another horse")).toEqual(expected);
  query.mockRestore();
  server.clock.mailIsDown = false;
});

test("a sign-up, a forgotten password and a resend with their mails cost the same hash operations for every address", async () => {
  const { unknown, ...others } = await addresses();
  const work = async (email: string) => {
    const kinds: string[][] = [];
    for (const what of ["a sign-up", "a forgotten password", "another mail"] as const) {
      await server.mails();
      server.clock.aheadSeconds += 61;
      // With those of the request, because the queue may make the mail before the answer is read.
      hashing.length = 0;
      await requests[what](email);
      await server.mails();
      kinds.push(hashing.toSorted());
    }
    return kinds;
  };
  const expected = await work(address());
  expect(await work(unknown)).toEqual(expected);
  for (const email of Object.values(others)) expect(await work(email), email).toEqual(expected);
});

test("the mails from /signup, /recover and /resend depend on the state of the account", async () => {
  const { unknown, waiting, contested, known, invited } = await addresses();
  const before = (await server.mails()).length;
  for (const email of [unknown, waiting, contested, known, invited]) {
    for (const what of ["a sign-up", "a forgotten password"] as const) await requests[what](email);
  }
  const kinds = async (email: string) =>
    (await server.mails())
      .slice(before)
      .filter(({ to }) => to === email)
      .map(({ kind }) => kind)
      .sort();
  expect(await kinds(known)).toEqual(["already-registered", "recover"]);
  expect(await kinds(invited)).toEqual(["invite", "recover"]);
  expect(await kinds(waiting)).toEqual(["confirm-address", "recover"]);
  expect(await kinds(contested)).toEqual(["confirm-address", "recover"]);
  // The sign-up in the loop above has made an account for this address, so it also gets the recovery mail.
  expect(await kinds(unknown)).toEqual(["confirm-address", "recover"]);

  const stranger = address();
  await requests["a forgotten password"](stranger);
  await requests["another mail"](stranger);
  expect(await kinds(stranger)).toEqual([]);
});
