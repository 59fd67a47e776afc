import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { resetSecondFactor } from "#server/auth/second-factor/reset-second-factor";
import { requireLockedUser } from "#server/auth/users";
import { inTransaction } from "#server/database/transaction";
import { type AuthServer, startAuth } from "#tests/support/auth-server";
import { totpCode } from "#tests/support/totp";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuth({ autoconfirm: true });
});
afterAll(() => server.stop());

/** Each test begins with a new 30-second step, so that none ends while the test uses its code. */
beforeEach(() => {
  const step = 30_000;
  server.clock.aheadSeconds += (step - (server.now().getTime() % step)) / 1000;
});

type Member = Awaited<ReturnType<AuthServer["member"]>>;

const wrongCode = { status: 422, code: "mfa_verification_failed", message: "Invalid TOTP code entered" };

function code(secret: string, stepOffset = 0) {
  return totpCode(secret, stepOffset, server.now());
}

async function enroll({ client }: Pick<Member, "client">, friendlyName = "Phone") {
  const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
  if (error) throw error;
  return data;
}

/** A member with a verified factor. The code of the step before the present one is used up. */
async function memberWithFactor() {
  const member = await server.member();
  const { id, totp } = await enroll(member);
  const { error } = await member.client.auth.mfa.challengeAndVerify({ factorId: id, code: code(totp.secret, -1) });
  if (error) throw error;
  return { ...member, factorId: id, secret: totp.secret };
}

async function signInAgain({ email, password }: Pick<Member, "email" | "password">) {
  const client = server.client();
  const { data, error } = await client.auth.signInWithPassword({ email, password });
  if (error) throw error;
  return { client, session: data.session };
}

async function sessionOf({ client }: Pick<Member, "client">) {
  const { data } = await client.auth.getSession();
  if (!data.session) throw new Error("No session.");
  return data.session;
}

const levelsOf = async ({ client }: Pick<Member, "client">) =>
  (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data;

/** Sends a request of a signed-in person, and resolves with the status and the body. */
async function call(path: string, token: string, init: { method?: string; body?: unknown } = {}) {
  const answer = await server.call(`/auth/v1${path}`, { token, ...init });
  return { status: answer.status, ...(await answer.json()) };
}

test("a person sets up an authenticator app, and signs in with its code from then on", async () => {
  const member = await server.member();
  expect(await levelsOf(member)).toMatchObject({ currentLevel: "aal1", nextLevel: "aal1" });

  const enrolled = await enroll(member);
  expect(enrolled).toMatchObject({
    type: "totp",
    friendly_name: "Phone",
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  const { secret, uri, qr_code } = enrolled.totp;
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const address = new URL(uri);
  expect([address.protocol, address.host, decodeURIComponent(address.pathname)]).toEqual([
    "otpauth:",
    "totp",
    `/site.example:${member.email}`,
  ]);
  const parameters = { secret, issuer: "site.example", algorithm: "SHA1", digits: "6", period: "30" };
  expect(Object.fromEntries(address.searchParams)).toEqual(parameters);
  expect(qr_code).toMatch(
    /^data:image\/svg\+xml;utf-8,<svg [^#]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"[^#]*<\/svg>$/,
  );
  expect((await member.client.auth.mfa.listFactors()).data).toMatchObject({
    all: [{ status: "unverified" }],
    totp: [],
  });

  const before = await sessionOf(member);
  const { data: challenge } = await member.client.auth.mfa.challenge({ factorId: enrolled.id });
  expect(challenge).toEqual({ id: expect.any(String), type: "totp", expires_at: expect.any(Number) });
  expect((challenge?.expires_at ?? 0) - server.now().getTime() / 1000).toBeCloseTo(300, -1);
  const { error } = await member.client.auth.mfa.verify({
    factorId: enrolled.id,
    challengeId: challenge?.id ?? "",
    code: code(secret),
  });
  expect(error).toBeNull();

  const after = await sessionOf(member);
  const [old, raised] = [decodeJwt(before.access_token), decodeJwt(after.access_token)];
  expect(raised).toMatchObject({
    session_id: old.session_id,
    aal: "aal2",
    amr: [{ method: "totp" }, { method: "password" }],
  });
  expect(after.refresh_token).not.toBe(before.refresh_token);
  expect(after).not.toHaveProperty("weak_password");
  expect(after.user.factors).toEqual([
    {
      id: enrolled.id,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      status: "verified",
      friendly_name: "Phone",
      factor_type: "totp",
      phone: "",
      last_challenged_at: expect.stringMatching(/Z$/),
    },
  ]);
  expect(await levelsOf(member)).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });

  const again = await signInAgain(member);
  expect(await levelsOf(again)).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
  const secondFactor = { factorId: enrolled.id, code: code(secret, 1) };
  expect((await again.client.auth.mfa.challengeAndVerify(secondFactor)).error).toBeNull();
  expect(await levelsOf(again)).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
});

test("a session keeps its level through refreshes, and all others at aal1 end", async () => {
  const member = await server.member();
  const other = await signInAgain(member);
  const { id, totp } = await enroll(member);
  await member.client.auth.mfa.challengeAndVerify({ factorId: id, code: code(totp.secret) });

  expect((await member.client.auth.refreshSession()).error).toBeNull();
  expect(decodeJwt((await sessionOf(member)).access_token)).toMatchObject({ aal: "aal2" });
  expect((await other.client.auth.getUser()).error).toMatchObject({ name: "AuthSessionMissingError" });
  const { access_token: token } = await sessionOf(member);
  expect(await (await server.call("/auth/v1/sessions", { token })).json()).toHaveLength(1);
});

describe("a copy of a token from before the second factor", () => {
  test("of the refresh token leads nowhere", async () => {
    const member = await server.member();
    const { refresh_token } = await sessionOf(member);
    const { id, totp } = await enroll(member);
    await member.client.auth.mfa.challengeAndVerify({ factorId: id, code: code(totp.secret) });

    expect(await call("/token?grant_type=refresh_token", "", { body: { refresh_token } })).toMatchObject({
      status: 400,
      code: "refresh_token_not_found",
    });
    // The owner goes on.
    expect((await member.client.auth.refreshSession()).error).toBeNull();
  });

  test("of the access token stays at aal1", async () => {
    const member = await memberWithFactor();
    const again = await signInAgain(member);
    const { access_token: copy } = again.session;
    const { factorId, secret } = member;
    await again.client.auth.mfa.challengeAndVerify({ factorId, code: code(secret) });

    const answer = { status: 422, code: "insufficient_aal", message: "AAL2 required to unenroll verified factor" };
    expect(await call(`/factors/${factorId}`, copy, { method: "DELETE" })).toEqual(answer);
  });
});

describe("a code is not accepted", () => {
  test("if it is wrong, and its challenge can be used again", async () => {
    const { client, factorId, secret } = await memberWithFactor();
    const { data: challenge } = await client.auth.mfa.challenge({ factorId });
    const attempt = { factorId, challengeId: challenge?.id ?? "" };
    const right = code(secret);
    const wrong = `${(Number(right) + 1) % 1_000_000}`.padStart(6, "0");
    for (const typed of [wrong, "12345", "1234567", "abcdef", "000000 0"])
      expect((await client.auth.mfa.verify({ ...attempt, code: typed })).error).toMatchObject(wrongCode);
    expect(
      (await client.auth.mfa.verify({ ...attempt, code: `${right.slice(0, 3)} ${right.slice(3)}` })).error,
    ).toBeNull();
  });

  test("twice, and neither is an older one", async () => {
    const { client, factorId, secret } = await memberWithFactor();
    const verify = (typed: string) => client.auth.mfa.challengeAndVerify({ factorId, code: typed });
    expect((await verify(code(secret, -1))).error).toMatchObject(wrongCode);
    expect((await verify(code(secret, 1))).error).toBeNull();
    expect((await verify(code(secret, 1))).error).toMatchObject(wrongCode);
    expect((await verify(code(secret))).error).toMatchObject(wrongCode);
  });

  test("twice, though eight requests with challenges of their own send it at once", async () => {
    const { client, factorId, secret } = await memberWithFactor();
    const { access_token } = await sessionOf({ client });
    const challenges = await Promise.all(
      Array.from({ length: 8 }, () => call(`/factors/${factorId}/challenge`, access_token, { body: {} })),
    );
    const body = { code: code(secret) };
    const answers = await Promise.all(
      challenges.map(({ id }) =>
        call(`/factors/${factorId}/verify`, access_token, { body: { ...body, challenge_id: id } }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
  });

  test("for a second factor with an equal secret", async () => {
    const { client, factorId, secret, user } = await memberWithFactor();
    const { rows } = await server.database.owner.query(
      `insert into auth.mfa_factors (user_id, friendly_name, factor_type, status, created_at, updated_at, secret)
       values ($1, 'Copy', 'totp', 'verified', now(), now(), $2) returning id`,
      [user.id, secret],
    );
    const verify = (id: string) => client.auth.mfa.challengeAndVerify({ factorId: id, code: code(secret) });
    expect((await verify(factorId)).error).toBeNull();
    expect((await verify(rows[0].id)).error).toMatchObject(wrongCode);
  });
});

test("an operator removes the second factor of an account, and its owner gets a mail", async () => {
  const member = await memberWithFactor();
  const reset = () =>
    inTransaction(server.database.owner, async (db) => resetSecondFactor(db, await requireLockedUser(db, member.user)));
  expect((await server.mailsTo(member.email)).map(({ kind }) => kind)).toEqual(["second-factor-added"]);
  expect(await reset()).toBe(true);

  expect((await member.client.auth.getUser()).error).toMatchObject({ name: "AuthSessionMissingError" });
  const again = await signInAgain(member);
  expect(again.session.user).not.toHaveProperty("factors");
  expect(await levelsOf(again)).toMatchObject({ nextLevel: "aal1" });
  const [, mail] = await server.mailsTo(member.email);
  expect(mail).toMatchObject({ kind: "second-factor-removed", facts: [["By", "the operator of the site"]] });

  expect(await reset()).toBe(false);
});
