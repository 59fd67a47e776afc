import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { siteUrl } from "#tests/support/auth-server";
import { sessionOf, startSecondFactorServer } from "#tests/support/second-factor-server";

const { server, memberWithFactor, signInAgain, call } = await startSecondFactorServer();

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
