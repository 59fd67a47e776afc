import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { siteUrl } from "#tests/support/auth-server";
import { type Member, sessionOf, startSecondFactorServer } from "#tests/support/second-factor-server";

const { server, code, enroll, memberWithFactor, signInAgain, call } = await startSecondFactorServer();

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

  test("waits in its own session, whatever a thief of the password does in another", async () => {
    const member = await server.member();
    const thief = await signInAgain(member);
    const phone = await enroll(member);
    for (const name of ["Phone", ..."123456789"]) await enroll(thief, name);
    const { access_token: token } = await sessionOf(thief);
    for (const [path, method] of [
      [`/factors/${phone.id}/challenge`, "POST"],
      [`/factors/${phone.id}/verify`, "POST"],
      [`/factors/${phone.id}`, "DELETE"],
    ] as const)
      expect(await call(path, token, { method, body: {} })).toMatchObject({
        status: 404,
        code: "mfa_factor_not_found",
      });
    await enroll(member, "Tablet");
    expect((await thief.client.auth.getUser()).data.user).not.toHaveProperty("factors");
    const { mfa } = member.client.auth;
    expect((await mfa.challengeAndVerify({ factorId: phone.id, code: code(phone.totp.secret) })).error).toBeNull();
    expect((await mfa.listFactors()).data?.all).toMatchObject([{ friendly_name: "Phone", status: "verified" }]);
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

  test("may have a name and an issuer of any letters", async () => {
    const { client } = await server.member();
    const texts = { friendlyName: '"Ünï#<&>"', issuer: "𝔉".repeat(25) };
    const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", ...texts });
    expect(error).toBeNull();
    expect(data?.totp.qr_code).not.toContain("#");
  });
});

test("no secret is in an answer after the enrolment, and neither secret nor code in the database or the log", async () => {
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
     union all select payload::text from private.jobs union all select f::text from auth.mfa_recovery_codes f
     union all select f::text from auth.mfa_factors f`,
    [user.id],
  );
  const stored = rows.map(({ text }) => text).join("\n");
  for (const hidden of [secret, ...codes, ...codes.map((one: string) => one.replaceAll("-", ""))])
    expect(stored).not.toContain(hidden);
  const actions = ["factor_in_progress", "factor_verified", "recovery_codes_generated"];
  for (const action of actions) expect(stored).toContain(action);
  expect(server.failures).toEqual([]);
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
        ["IP address", "127.0.0.1"],
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

  test("end with new ones, with their level at the last factor, and are no one else's", async () => {
    const member = await memberWithCodes();
    const other = await memberWithCodes();
    const token = (await sessionOf(member)).access_token;
    expect(await use(token, other.codes[0] ?? "")).toEqual(refused);
    const { codes } = await call("/factors/recovery-codes/regenerate", token, { method: "POST" });
    expect(await use(token, member.codes[0] ?? "")).toEqual(refused);
    expect(await left(token)).toBe(10);

    const { session } = await signInAgain(member);
    const { refresh_token } = await use(session.access_token, codes[1]);
    expect((await member.client.auth.mfa.unenroll({ factorId: member.factorId })).error).toBeNull();
    const refreshed = await call("/token?grant_type=refresh_token", "", { body: { refresh_token } });
    expect(decodeJwt(refreshed.access_token)).toMatchObject({ aal: "aal1", amr: [{ method: "password" }] });
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
