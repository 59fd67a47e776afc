import { decodeJwt } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { startAuth } from "#tests/support/auth-server";
import { type Member, sessionOf, startSecondFactorServer, wrongCode } from "#tests/support/second-factor-server";
import { totpCode } from "#tests/support/totp";

const { server, code, enroll, memberWithFactor, signInAgain, call } = await startSecondFactorServer();

const levelsOf = async ({ client }: Pick<Member, "client">) =>
  (await client.auth.mfa.getAuthenticatorAssuranceLevel()).data;

/** Starts two requests that change the session, the second while the first waits for it, and lets both go on. */
async function waitingForTheSession(token: string, work: (() => ReturnType<typeof call>)[]) {
  const { owner } = server.database;
  const holder = await owner.connect();
  await holder.query("begin");
  await holder.query("select from auth.sessions where id = $1 for update", [decodeJwt(token).session_id]);
  const blocked = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  const answers = [];
  for (const start of work) {
    answers.push(start());
    while ((await owner.query(blocked)).rowCount !== answers.length) await new Promise(setImmediate);
  }
  await holder.query("commit");
  holder.release();
  return Promise.all(answers);
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

  test.each([["before"], ["after"]])(
    "of the refresh token leads nowhere, though it is used in the moment %s the code, and the owner goes on",
    async (order) => {
      const member = await server.member();
      const { refresh_token, access_token } = await sessionOf(member);
      const { id, totp } = await enroll(member);
      const { data: challenge } = await member.client.auth.mfa.challenge({ factorId: id });
      const verify = () =>
        call(`/factors/${id}/verify`, access_token, { body: { challenge_id: challenge?.id, code: code(totp.secret) } });
      const refresh = (token: string) =>
        call("/token?grant_type=refresh_token", "", { body: { refresh_token: token } });
      const work = [verify, () => refresh(refresh_token)];
      if (order === "before") work.reverse();

      const answers = await waitingForTheSession(access_token, work);
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

  test("an admin reads neither contacts nor the log, and with it both; without a factor the rule decides", async () => {
    const { owner } = server.database;
    await server.client().from("contacts").insert({ name: "Ada", email: "ada@example.com", interest: "consulting" });
    const member = await memberWithFactor();
    await owner.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [member.user.id]);
    const again = await signInAgain(member);
    const reads = async ({ client }: Pick<Member, "client">) => {
      const { data } = await client.from("contacts").select("name");
      const audit = await server.call("/auth/v1/audit", { token: (await sessionOf({ client })).access_token });
      return [data?.length, audit.status, (await client.rpc("second_factor_step")).data];
    };
    expect(await reads(again)).toEqual([0, 403, "verify"]);
    expect(await reads(member)).toEqual([1, 200, "none"]);

    // The token still says aal2, but the level of the session counts.
    const { factorId } = member;
    await owner.query("select private.require_second_factor(true)");
    expect((await member.client.auth.mfa.unenroll({ factorId })).error).toBeNull();
    expect(decodeJwt((await sessionOf(member)).access_token)).toMatchObject({ aal: "aal2" });
    expect(await reads(member)).toEqual([0, 403, "set_up"]);
    await owner.query("select private.require_second_factor(false)");
    expect(await reads(member)).toEqual([1, 200, "none"]);
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
    expect(await waitingForTheSession(access_token, [verify(0), verify(1)])).toMatchObject([
      { status: 200 },
      { status: 422, code: "mfa_ip_address_mismatch" },
    ]);
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
