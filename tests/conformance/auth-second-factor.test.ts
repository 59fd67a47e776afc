import { decodeJwt } from "jose";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { resetSecondFactor } from "#server/auth/second-factor/reset-second-factor";
import { lockUser } from "#server/auth/users";
import { inTransaction } from "#server/database/transaction";
import { type AuthServer, publicKey, siteUrl, startAuth } from "#tests/support/auth-server";
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

describe("recovery codes", () => {
  /** A member at aal2, with ten codes. */
  async function memberWithCodes() {
    const member = await memberWithFactor();
    const { access_token } = await sessionOf(member);
    const { status, codes } = await call("/factors/recovery-codes", access_token, { method: "POST" });
    expect(status).toBe(200);
    return { ...member, codes: codes as string[] };
  }
  const left = async (token: string) => (await call("/factors/recovery-codes", token)).remaining ?? 0;
  const use = (token: string, typed: string) =>
    call("/factors/recovery-codes/verify", token, { body: { code: typed } });
  const refused = { status: 422, code: "mfa_verification_failed", message: "Invalid recovery code entered" };

  test("are ten, and each opens one session at aal2, however it is written", async () => {
    const member = await memberWithCodes();
    const { codes } = member;
    expect(new Set(codes).size).toBe(10);
    for (const one of codes) expect(one).toMatch(/^[0-9a-hjkmnp-tv-z]{16}$/);

    const { session } = await signInAgain(member);
    const bystander = await signInAgain(member);
    const [first = "", second = ""] = codes;
    const typed = first.toUpperCase().replace(/.{4}/g, "$& - ").replaceAll("0", "O").replaceAll("1", "L");
    const { status, access_token, refresh_token, user } = await use(session.access_token, typed);
    expect(status).toBe(200);
    expect(decodeJwt(access_token)).toMatchObject({
      session_id: decodeJwt(session.access_token).session_id,
      aal: "aal2",
      amr: [{ method: "mfa/recovery_code" }, { method: "password" }],
    });
    expect(user.factors).toHaveLength(1);
    expect(await left(access_token)).toBe(9);
    expect((await call("/user", bystander.session.access_token)).status).toBe(403);
    expect((await call("/token?grant_type=refresh_token", "", { body: { refresh_token } })).status).toBe(200);

    expect(await use(access_token, first)).toEqual(refused);
    expect((await use(access_token, second)).status).toBe(200);
    expect(await server.mailsTo(member.email)).toContainEqual({
      kind: "recovery-code-used",
      to: member.email,
      link: `${siteUrl}/account`,
      facts: [
        ["Device", expect.any(String)],
        ["Internet address", "127.0.0.1"],
        ["Time", expect.any(String)],
      ],
    });
  });

  test("are used once, though eight requests send one at once", async () => {
    const member = await memberWithCodes();
    const sessions = await Promise.all(Array.from({ length: 8 }, () => signInAgain(member)));
    const answers = await Promise.all(sessions.map(({ session }) => use(session.access_token, member.codes[0] ?? "")));
    const right = answers.filter(({ status }) => status === 200);
    expect(right).toHaveLength(1);
    // The session with the second factor ends the other ones, which may be found out before the code is compared.
    for (const { status } of answers) expect([200, 403, 422]).toContain(status);
    expect(await left(right[0].access_token)).toBe(9);
  });

  test("end with new ones and with the last factor, and are no one else's", async () => {
    const member = await memberWithCodes();
    const other = await memberWithCodes();
    const token = (await sessionOf(member)).access_token;
    expect(await use(token, other.codes[0] ?? "")).toEqual(refused);
    const { codes } = await call("/factors/recovery-codes/regenerate", token, { method: "POST" });
    expect(await use(token, member.codes[0] ?? "")).toEqual(refused);
    expect(await left(token)).toBe(10);

    expect((await member.client.auth.mfa.unenroll({ factorId: member.factorId })).error).toBeNull();
    expect(await left(token)).toBe(0);
    expect(await use(token, codes[0])).toEqual(refused);
    expect(await left((await sessionOf(other)).access_token)).toBe(10);
  });

  test("are made only in a session that has used the second factor", async () => {
    const member = await memberWithFactor();
    const { session } = await signInAgain(member);
    expect(await call("/factors/recovery-codes", session.access_token, { method: "POST" })).toEqual({
      status: 403,
      code: "insufficient_aal",
      message: "AAL2 required to change recovery codes",
    });
    expect(await use(session.access_token, "")).toEqual(refused);
  });

  test("answer the client's own calls", async () => {
    const { client, user } = await memberWithFactor();
    const { recoveryCodes } = client.auth.mfa;
    const none = { status: 404, code: "mfa_factor_not_found", message: "Factor not found" };
    expect((await recoveryCodes.getStatus()).error).toMatchObject(none);
    expect((await recoveryCodes.regenerate()).error).toMatchObject(none);

    const set = { id: user.id, type: "recovery_code", total: 10 };
    const codes = Array(10).fill(expect.any(String));
    const made = { ...set, friendly_name: "Recovery codes", codes };
    expect(await recoveryCodes.generate()).toEqual({ data: made, error: null });
    expect((await recoveryCodes.generate()).error).toMatchObject({ status: 422, code: "mfa_verified_factor_exists" });
    const { data } = await recoveryCodes.regenerate();
    expect(data).toEqual(made);
    expect((await recoveryCodes.verify({ code: data?.codes[0] ?? "" })).error).toBeNull();
    expect(await recoveryCodes.getStatus()).toEqual({ data: { ...set, remaining: 9 }, error: null });
    expect(await recoveryCodes.unenroll()).toEqual({ data: { id: user.id }, error: null });
    expect((await recoveryCodes.unenroll()).error).toMatchObject(none);
  });
});

describe("without its second factor", () => {
  const insufficient = (status: number, message: string) => ({ status, code: "insufficient_aal", message });

  test("a session changes neither password nor factors", async () => {
    const member = await memberWithFactor();
    const { client } = await signInAgain(member);
    const change = { password: "a new password", current_password: member.password };
    expect((await client.auth.updateUser(change)).error).toMatchObject(
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

describe("the removal of a factor", () => {
  test("lowers the sessions that used it, and mails the owner", async () => {
    const member = await memberWithFactor();
    const phone = await signInAgain(member);
    const { factorId, secret } = member;
    await phone.client.auth.mfa.challengeAndVerify({ factorId, code: code(secret) });
    const tablet = await enroll(phone, "Tablet");
    await phone.client.auth.mfa.challengeAndVerify({ factorId: tablet.id, code: code(tablet.totp.secret) });
    await server.mails();

    expect((await phone.client.auth.mfa.unenroll({ factorId })).data).toEqual({ id: factorId });
    const levels = async ({ client }: Pick<Member, "client">) => {
      const { data } = await client.auth.refreshSession();
      const { aal, amr } = decodeJwt<{ aal: string; amr: { method: string }[] }>(data.session?.access_token ?? "");
      return [aal, amr.map(({ method }) => method), data.user?.factors?.length];
    };
    expect(await levels(phone)).toEqual(["aal2", ["totp", "password"], 1]);
    expect(await levels(member)).toEqual(["aal1", ["password"], 1]);
    const mails = await server.mailsTo(member.email);
    expect(mails.map(({ kind }) => kind).sort()).toEqual([
      "second-factor-added",
      "second-factor-added",
      "second-factor-removed",
    ]);
  });

  test("that nobody has confirmed needs no code and sends no mail", async () => {
    const member = await server.member();
    const { id } = await enroll(member);
    expect((await member.client.auth.mfa.unenroll({ factorId: id })).error).toBeNull();
    expect((await member.client.auth.getUser()).data.user).not.toHaveProperty("factors");
    expect(await server.mailsTo(member.email)).toEqual([]);
  });
});

describe("a new factor", () => {
  test("replaces an abandoned one of its name, but no confirmed one", async () => {
    const member = await server.member();
    const first = await enroll(member);
    const second = await enroll(member);
    const { mfa } = member.client.auth;
    expect((await mfa.listFactors()).data?.all.map(({ id }) => id)).toEqual([second.id]);
    expect((await mfa.challenge({ factorId: first.id })).error).toMatchObject({ status: 404 });

    await enroll(member, "Abandoned");
    await mfa.challengeAndVerify({ factorId: second.id, code: code(second.totp.secret) });
    expect((await mfa.listFactors()).data?.all).toHaveLength(1);
    expect((await mfa.enroll({ factorType: "totp", friendlyName: "Phone" })).error).toMatchObject({
      status: 422,
      code: "mfa_factor_name_conflict",
      message: 'A factor with the friendly name "Phone" for this user already exists',
    });
  });

  test("waits five minutes for its first code", async () => {
    const member = await server.member();
    const { id, totp } = await enroll(member);
    server.clock.aheadSeconds += 301;
    expect(
      (await member.client.auth.mfa.challengeAndVerify({ factorId: id, code: code(totp.secret) })).error,
    ).toMatchObject({
      status: 404,
      code: "mfa_factor_not_found",
      message: "Factor not found",
    });
    expect(await enroll(member)).toMatchObject({ friendly_name: "Phone" });
  });

  test("is refused if there are ten, also of ten requests at once", async () => {
    const member = await server.member();
    const { access_token: token } = await sessionOf(member);
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        call("/factors", token, { body: { factor_type: "totp", friendly_name: `${index}` } }),
      ),
    );
    const refused = answers.filter(({ status }) => status !== 200);
    const answer = {
      status: 422,
      code: "too_many_enrolled_mfa_factors",
      message: "Maximum number of verified factors reached, unenroll to continue",
    };
    expect(refused).toEqual([answer, answer]);
  });

  test("may have a name and an issuer of any letters, and no longer ones than a QR code holds", async () => {
    const { client } = await server.member();
    const texts = { friendlyName: '"Ünï#<&>"', issuer: "𝔉".repeat(25) };
    const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", ...texts });
    expect(error).toBeNull();
    expect(data?.totp.qr_code).not.toContain("#");
    for (const long of [{ issuer: "x".repeat(51) }, { friendlyName: "x".repeat(101) }])
      expect((await client.auth.mfa.enroll({ factorType: "totp", ...long })).error).toMatchObject({
        status: 400,
        code: "validation_failed",
      });
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

test("what is wrong with a request is said in upstream's words", async () => {
  const { client, session } = await server.member();
  const { access_token: token } = session;
  const { id } = await enroll({ client });
  const enrolls = (body: unknown) => call("/factors", token, { body });
  expect(await enrolls({ factor_type: "phone", phone: "+4912345678" })).toEqual({
    status: 422,
    code: "mfa_phone_enroll_not_enabled",
    message: "MFA enroll is disabled for Phone",
  });
  expect(await enrolls({ factor_type: "webauthn" })).toEqual({
    status: 422,
    code: "mfa_webauthn_enroll_not_enabled",
    message: "MFA enroll is disabled for WebAuthn",
  });
  const unknown = {
    status: 400,
    code: "validation_failed",
    message: "factor_type needs to be totp, phone, or webauthn",
  };
  expect(await enrolls({})).toEqual(unknown);
  expect(await enrolls({ factor_type: "recovery_code" })).toEqual(unknown);

  const badId = { status: 404, code: "validation_failed", message: "factor_id must be an UUID" };
  for (const [path, method] of [
    ["/factors/1", "DELETE"],
    ["/factors/1/challenge", "POST"],
    ["/factors/%00/verify", "POST"],
  ] as const)
    expect(await call(path, token, { method })).toEqual(badId);
  const challenge_id = crypto.randomUUID();
  expect(await call(`/factors/${id}/verify`, token, { body: { challenge_id } })).toMatchObject({
    status: 400,
    code: "validation_failed",
    message: "Code needs to be non-empty",
  });
  for (const body of [
    { code: "123456" },
    { code: "123456", challenge_id: "1" },
    { code: 123456, challenge_id },
    [],
    "{",
  ])
    expect(await call(`/factors/${id}/verify`, token, { method: "POST", body })).toMatchObject({
      status: 400,
      code: "bad_json",
    });
});

test.each([
  ["POST", "/factors"],
  ["POST", "/factors/1/challenge"],
  ["POST", "/factors/1/verify"],
  ["DELETE", "/factors/1"],
  ["GET", "/factors/recovery-codes"],
  ["POST", "/factors/recovery-codes"],
  ["POST", "/factors/recovery-codes/regenerate"],
  ["DELETE", "/factors/recovery-codes"],
  ["POST", "/factors/recovery-codes/verify"],
])("%s %s without a session is refused as such, whatever else is wrong with it", async (method, path) => {
  const body = method === "GET" ? undefined : "{";
  expect(await call(path, "", { method, body })).toMatchObject({ status: 401, code: "no_authorization" });
  expect(await call(path, publicKey, { method, body })).toMatchObject({ status: 403, code: "bad_jwt" });
});

test("no secret is in an answer after the enrolment, and no code in the database or the log", async () => {
  const { client, secret, user, factorId } = await memberWithFactor();
  const { access_token: token } = await sessionOf({ client });
  const { codes } = await call("/factors/recovery-codes", token, { method: "POST" });
  const answers = await Promise.all([
    call("/user", token),
    call("/factors/recovery-codes", token),
    call(`/factors/${factorId}/challenge`, token, { method: "POST" }),
    client.auth.refreshSession(),
  ]);
  expect(JSON.stringify(answers)).not.toContain(secret);
  const { rows } = await server.database.owner.query(
    `select payload::text as text from auth.audit_log_entries where payload ->> 'actor_id' = $1
     union all select payload::text from private.jobs union all select f::text from auth.mfa_recovery_codes f`,
    [user.id],
  );
  const stored = rows.map(({ text }) => text).join("\n");
  for (const hidden of [secret, ...codes, ...codes.map((one: string) => one.replaceAll("-", ""))])
    expect(stored).not.toContain(hidden);
  const actions = ["factor_in_progress", "challenge_created", "factor_verified", "recovery_codes_generated"];
  for (const action of actions) expect(stored).toContain(action);
  expect(server.failures).toEqual([]);
});

test("an operator removes the second factor of an account, and its owner gets a mail", async () => {
  const member = await memberWithFactor();
  const reset = () =>
    inTransaction(server.database.owner, async (db) => {
      const user = await lockUser(db, member.user.id);
      return user && resetSecondFactor(db, user);
    });
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
