import { decodeJwt } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAuth } from "#tests/support/auth-server";
import { type Member, sessionOf, startSecondFactorServer, wrongCode } from "#tests/support/second-factor-server";
import { totpCode } from "#tests/support/totp";

const { server, code, enroll, memberWithFactor, signInAgain, call, inTurn } = await startSecondFactorServer();

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
});

describe("a challenge", () => {
  test("works for five minutes, once, and only from its internet address", async () => {
    const proxied = await startAuth({ autoconfirm: true, trustProxy: "127.0.0.1" });
    onTestFinished(() => proxied.stop());
    const { session } = await proxied.member();
    const post = async (path: string, body: unknown, ip = "192.0.2.1") => {
      const headers = { "x-forwarded-for": ip };
      const answer = await proxied.call(`/auth/v1${path}`, { token: session.access_token, body, headers });
      return { status: answer.status, ...(await answer.json()) };
    };
    const { id, totp } = await post("/factors", { factor_type: "totp" });
    const now = () => totpCode(totp.secret, 0, proxied.now());
    const elsewhere = {
      status: 422,
      code: "mfa_ip_address_mismatch",
      message: "Challenge and verify IP addresses mismatch.",
    };
    const { id: challenge_id } = await post(`/factors/${id}/challenge`, { factorId: id });
    expect(await post(`/factors/${id}/verify`, { challenge_id, code: now() }, "192.0.2.2")).toEqual(elsewhere);
    expect((await post(`/factors/${id}/verify`, { challenge_id, code: now() })).status).toBe(200);
    expect(await post(`/factors/${id}/verify`, { challenge_id, code: now() })).toEqual(elsewhere);

    const { id: late } = await post(`/factors/${id}/challenge`, { factorId: id });
    proxied.clock.aheadSeconds += 301;
    expect(await post(`/factors/${id}/verify`, { challenge_id: late, code: now() })).toEqual({
      status: 422,
      code: "mfa_challenge_expired",
      message: `MFA challenge ${late} has expired, verify against another challenge or create a new challenge.`,
    });
  });

  test("works once, though two right codes come at once", async () => {
    const { client, factorId, secret } = await memberWithFactor();
    const { access_token } = await sessionOf({ client });
    const { data: challenge } = await client.auth.mfa.challenge({ factorId });
    const verify = (stepOffset: number) => () =>
      call(`/factors/${factorId}/verify`, access_token, {
        body: { challenge_id: challenge?.id, code: code(secret, stepOffset) },
      });
    expect(
      await inTurn({ table: "sessions", id: decodeJwt(access_token).session_id as string }, [verify(0), verify(1)]),
    ).toMatchObject([{ status: 200 }, { status: 422, code: "mfa_ip_address_mismatch" }]);
  });

  test("of another factor is unknown, and so is a factor of someone else", async () => {
    const member = await memberWithFactor();
    const tablet = await enroll(member, "Tablet");
    const { factorId, secret } = member;
    const { mfa } = member.client.auth;
    const { data: challenge } = await mfa.challenge({ factorId: tablet.id });
    const attempt = { factorId, challengeId: challenge?.id ?? "", code: code(secret) };
    expect((await mfa.verify(attempt)).error).toMatchObject({
      status: 422,
      code: "mfa_factor_not_found",
      message: "MFA factor with the provided challenge ID not found",
    });
    const other = await memberWithFactor();
    const notFound = { status: 404, code: "mfa_factor_not_found", message: "Factor not found" };
    expect((await other.client.auth.mfa.challenge({ factorId })).error).toMatchObject(notFound);
    expect((await other.client.auth.mfa.verify(attempt)).error).toMatchObject(notFound);
    expect((await other.client.auth.mfa.unenroll({ factorId })).error).toMatchObject(notFound);
  });
});
