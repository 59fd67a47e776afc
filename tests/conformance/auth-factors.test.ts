import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
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
