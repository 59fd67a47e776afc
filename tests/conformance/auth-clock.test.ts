import { afterEach, beforeEach, expect, test } from "vitest";
import { startSecondFactorServer } from "#tests/support/second-factor-server";

/** What happens after a clock that ran ahead, when accounts were used, is set right. */
const { server, code, memberWithFactor, signInAgain } = await startSecondFactorServer({ limitsAreOn: true });
const years = 2 * 365 * 24 * 60 * 60;
const { owner } = server.database;

beforeEach(() => {
  server.clock.aheadSeconds += years;
});
afterEach(() => owner.query("truncate auth.rate_limits"));
const setRight = () => {
  server.clock.aheadSeconds -= years;
};

const signIn = (email: string, password: string) => server.client().auth.signInWithPassword({ email, password });

test("a password that was guessed too often is accepted", async () => {
  const { email, password } = await server.member();
  for (let guess = 0; guess < 11; guess++) await signIn(email, "wrong");
  expect((await signIn(email, password)).error?.status).toBe(429);
  setRight();
  expect((await signIn(email, password)).error).toBeNull();
});

test("a forgotten password is mailed, and its code works", async () => {
  const { email } = await server.member();
  await server.client().auth.resetPasswordForEmail(email);
  await server.mails();
  setRight();
  await owner.query("truncate auth.rate_limits");
  await server.client().auth.resetPasswordForEmail(email);
  const mails = await server.mailsTo(email);
  expect(mails).toHaveLength(2);
  const token = mails.at(-1)?.code ?? "";
  expect((await server.client().auth.verifyOtp({ email, token, type: "recovery" })).error).toBeNull();
});

test("the codes of an authenticator app are accepted", async () => {
  const member = await memberWithFactor();
  setRight();
  await owner.query("truncate auth.rate_limits");
  const { client } = await signInAgain(member);
  const verified = await client.auth.mfa.challengeAndVerify({ factorId: member.factorId, code: code(member.secret) });
  expect(verified.error).toBeNull();
});
