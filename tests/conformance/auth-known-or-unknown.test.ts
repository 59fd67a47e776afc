import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type AuthServer, startAuth } from "#tests/support/auth-server";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuth();
});
afterAll(() => server.stop());

const password = "correct horse";
/** All of one length, so that lengths can be compared as well. */
const address = () => `${randomUUID()}@example.com`;

/** An address that nobody has, one that waits for its confirmation, one with an account and one that is invited. */
async function addresses() {
  const waiting = address();
  await server.client().auth.signUp({ email: waiting, password });
  const known = (await server.member()).email;
  const invited = address();
  await server.database.owner.query("insert into auth.users (email, invited_at) values ($1, now())", [invited]);
  server.clock.aheadSeconds += 61;
  return { unknown: address(), waiting, known, invited };
}

/**
 * All that the wire tells: status, headers, and the body with each of its values replaced by the place where it stood
 * first. So an id must be the same one wherever it was, and a time that is another's elsewhere shows.
 */
async function tellingsOf(answer: Response, email: string) {
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
  "%s reads the same whoever has the address",
  async (what) => {
    const { unknown, ...others } = await addresses();
    const ask = async (email: string) => {
      if (what === "a sign-up within the minute") await requests["a sign-up"](email);
      return tellingsOf(await requests[what](email), email);
    };
    const expected = await ask(unknown);
    for (const email of Object.values(others)) expect(await ask(email)).toEqual(expected);
    expect(server.failures).toEqual([]);
  },
);

test("only the owner reads who has an account", async () => {
  const { unknown, waiting, known, invited } = await addresses();
  const before = (await server.mails()).length;
  for (const email of [unknown, waiting, known, invited]) {
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
  // The sign-up has just made it an account.
  expect(await kinds(unknown)).toEqual(["confirm-address", "recover"]);

  const nobody = address();
  await requests["a forgotten password"](nobody);
  await requests["another mail"](nobody);
  expect(await kinds(nobody)).toEqual([]);
});
