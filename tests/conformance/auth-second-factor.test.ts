import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { type Member, sessionOf, startSecondFactorServer, wrongCode } from "#tests/support/second-factor-server";

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

test("a session keeps its level through refreshes, and all others at aal1 end", async () => {
  const member = await server.member();
  const other = await signInAgain(member);
  const { id, totp } = await enroll(member);
  await member.client.auth.mfa.challengeAndVerify({ factorId: id, code: code(totp.secret) });

  expect((await member.client.auth.refreshSession()).error).toBeNull();
  expect(decodeJwt((await sessionOf(member)).access_token)).toMatchObject({ aal: "aal2" });
  expect((await other.client.auth.getUser()).error).toMatchObject({ name: "AuthSessionMissingError" });
  const { rowCount } = await server.database.owner.query("select from auth.sessions where user_id = $1", [
    member.user.id,
  ]);
  expect(rowCount).toBe(1);
});

describe("a copy of a token from before the second factor", () => {
  test.each([["before"], ["after"]])(
    "of the refresh token leads nowhere, though it is used in the moment %s the code, and the owner goes on",
    async (order) => {
      const member = await server.member();
      const { refresh_token, access_token } = await sessionOf(member);
      const { id, totp } = await enroll(member);
      const verify = () => call(`/factors/${id}/verify`, access_token, { body: { code: code(totp.secret) } });
      const refresh = (token: string) =>
        call("/token?grant_type=refresh_token", "", { body: { refresh_token: token } });
      const work = [verify, () => refresh(refresh_token)];
      if (order === "before") work.reverse();

      const answers = await inTurn({ table: "sessions", id: decodeJwt(access_token).session_id as string }, work);
      if (order === "before") answers.reverse();
      const [verified, refreshed] = answers;
      expect(verified.status).toBe(200);
      expect((await refresh(verified.refresh_token)).status).toBe(200);
      const unknown = { status: 400, code: "refresh_token_not_found" };
      if (order === "after") return expect(refreshed).toMatchObject(unknown);
      expect(decodeJwt(refreshed.access_token)).toMatchObject({ aal: "aal1" });
      expect(await refresh(refreshed.refresh_token)).toMatchObject(unknown);
    },
  );

  test("of the access token stays at aal1", async () => {
    const member = await memberWithFactor();
    const again = await signInAgain(member);
    const { access_token: copy } = again.session;
    const { factorId, secret } = member;
    await again.client.auth.mfa.challengeAndVerify({ factorId, code: code(secret) });

    const answer = { status: 422, code: "insufficient_aal", message: "AAL2 required to unenroll verified factor" };
    expect(await call(`/factors/${factorId}`, copy, { method: "DELETE" })).toEqual(answer);
  });

  test("of an access token with the factor of before stays at aal1 when a new one is added", async () => {
    const member = await memberWithFactor();
    const { access_token: copy } = await sessionOf(member);
    expect((await member.client.auth.mfa.unenroll({ factorId: member.factorId })).error).toBeNull();
    server.clock.aheadSeconds += 30;
    const { id, totp } = await enroll(member, "New phone");
    expect(
      (await member.client.auth.mfa.challengeAndVerify({ factorId: id, code: code(totp.secret) })).error,
    ).toBeNull();

    const refused = { status: 422, code: "insufficient_aal" };
    expect(await call(`/factors/${id}`, copy, { method: "DELETE" })).toMatchObject(refused);
    const { data } = await member.client.rpc("second_factor_step");
    expect(data).toBe("none");
    const step = await server.call("/rest/v1/rpc/second_factor_step", { token: copy, body: {} });
    expect(await step.json()).toBe("verify");
  });
});

describe("without its second factor", () => {
  const insufficient = (status: number, message: string) => ({ status, code: "insufficient_aal", message });

  test("a session changes neither password nor address nor factors", async () => {
    const member = await memberWithFactor();
    const { client } = await signInAgain(member);
    const change = { password: "a new password", current_password: member.password };
    expect((await client.auth.updateUser(change)).error).toMatchObject(
      insufficient(401, "AAL2 session is required to update email or password when MFA is enabled."),
    );
    expect((await client.auth.updateUser({ email: `new-${member.email}` })).error).toMatchObject(
      insufficient(401, "AAL2 session is required to update email or password when MFA is enabled."),
    );
    expect((await client.auth.updateUser({ data: { theme: "dark" } })).error).toBeNull();
    expect((await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "Second" })).error).toMatchObject(
      insufficient(403, "AAL2 required to enroll a new factor"),
    );
    const { factorId } = member;
    expect((await client.auth.mfa.unenroll({ factorId })).error).toMatchObject(
      insufficient(422, "AAL2 required to unenroll verified factor"),
    );
    expect((await member.client.auth.updateUser(change)).error).toBeNull();
  });

  test("an admin reads no contacts, and with it does; without a factor the rule decides", async () => {
    const { owner } = server.database;
    await server.client().from("contacts").insert({ name: "Ada", email: "ada@example.com", interest: "consulting" });
    const member = await memberWithFactor();
    await owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [member.user.id]);
    const again = await signInAgain(member);
    const reads = async ({ client }: Pick<Member, "client">) => {
      const { data } = await client.from("contacts").select("name");
      return [data?.length, (await client.rpc("second_factor_step")).data];
    };
    expect(await reads(again)).toEqual([0, "verify"]);
    expect(await reads(member)).toEqual([1, "none"]);

    // The token still says aal2, but the level of the session counts.
    const { factorId } = member;
    await owner.query("select private.set_second_factor_rule(true)");
    expect((await member.client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect(decodeJwt((await sessionOf(member)).access_token)).toMatchObject({ aal: "aal2" });
    expect(await reads(member)).toEqual([0, "set_up"]);
    await owner.query("select private.set_second_factor_rule(false)");
    expect(await reads(member)).toEqual([1, "none"]);
  });
});
