import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { type Member, sessionOf, startSecondFactorServer, wrongCode } from "#tests/support/second-factor-server";

const { server, code, enroll, memberWithFactor, signInAgain, call } = await startSecondFactorServer();

const levelsOf = async ({ client }: Pick<Member, "client">) =>
  (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data;

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
  expect((await member.client.auth.mfa.listFactors()).data).toMatchObject({ all: [], totp: [] });

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
    },
  ]);
  expect(await levelsOf(member)).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });

  const again = await signInAgain(member);
  expect(await levelsOf(again)).toMatchObject({ currentLevel: "aal1", nextLevel: "aal2" });
  const secondFactor = { factorId: enrolled.id, code: code(secret, 1) };
  expect((await again.client.auth.mfa.challengeAndVerify(secondFactor)).error).toBeNull();
  expect(await levelsOf(again)).toMatchObject({ currentLevel: "aal2", nextLevel: "aal2" });
});

describe("a code is not accepted", () => {
  test("if it is wrong", async () => {
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

  test("twice, though eight requests send it at once", async () => {
    const { client, factorId, secret } = await memberWithFactor();
    const { access_token } = await sessionOf({ client });
    const body = { code: code(secret) };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => call(`/factors/${factorId}/verify`, access_token, { body })),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(7).fill(422)]);
  });
});

test("a factor of someone else is unknown", async () => {
  const { factorId, secret } = await memberWithFactor();
  const other = await memberWithFactor();
  const notFound = { status: 404, code: "mfa_factor_not_found", message: "Factor not found" };
  const { mfa } = other.client.auth;
  expect((await mfa.challenge({ factorId })).error).toMatchObject(notFound);
  const attempt = { factorId, challengeId: crypto.randomUUID(), code: code(secret) };
  expect((await mfa.verify(attempt)).error).toMatchObject(notFound);
  expect((await mfa.unenroll({ factorId })).error).toMatchObject(notFound);
});
