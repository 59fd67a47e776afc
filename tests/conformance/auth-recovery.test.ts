import { describe, expect, test } from "vitest";
import { inviteAccount } from "#backend/auth/operator-accounts";
import { inTransaction } from "#backend/database/transaction";
import { queueAccountMail } from "#server/jobs/account-mails";
import { siteUrl, startAuth } from "#tests/support/auth-server";

const server = await startAuth();

const password = "correct horse";
const better = "a long walk in the woods";
const expired = { status: 403, code: "otp_expired", message: "Email link is invalid or has expired" };

const forgot = (email: string, redirectTo = `${siteUrl}/`) =>
  server.client().auth.resetPasswordForEmail(email, { redirectTo });

const signIn = (email: string, secret: string) => server.client().auth.signInWithPassword({ email, password: secret });

const statusOf = async (path: string, token: string) => (await server.call(path, { token })).status;

describe("a forgotten password", () => {
  test.each(["link", "code"] as const)(
    "can be reset with the mailed %s; the new password ends all other sessions",
    async (by) => {
      const { email, user, session, client: elsewhere } = await server.member();
      expect((await forgot(email)).error).toBeNull();
      const { kind, token, code } = await server.newestMail(email);
      expect(kind).toBe("recover");

      const client = server.client();
      const credentials = {
        type: "recovery" as const,
        ...(by === "link" ? { token_hash: token } : { email, token: code }),
      };
      const { data, error } = await client.auth.verifyOtp(credentials);
      expect(error).toBeNull();
      const claims = await client.auth.getClaims();
      expect(claims.data?.claims.amr).toMatchObject([{ method: "otp" }]);
      // The mailed link or code alone must not end other sessions. Only the new password ends them.
      expect((await elsewhere.auth.getUser()).error).toBeNull();

      const changed = await client.auth.updateUser({ password: better });
      expect(changed.error).toBeNull();
      expect(changed.data.user?.id).toBe(user.id);
      expect((await client.auth.getUser()).error).toBeNull();
      expect(await statusOf("/auth/v1/user", session.access_token)).toBe(403);
      expect(await statusOf("/rest/v1/contacts?select=id", session.access_token)).toBe(401);
      expect((await elsewhere.auth.refreshSession(session)).error?.code).toBe("refresh_token_not_found");
      expect(await statusOf("/rest/v1/contacts?select=id", data.session?.access_token ?? "")).toBe(200);

      expect((await signIn(email, password)).error?.code).toBe("invalid_credentials");
      expect((await signIn(email, better)).error).toBeNull();
      expect(await server.newestMail(email)).toMatchObject({ kind: "password-changed", code: "" });
      const actions = ["user_recovery_requested", "login", "user_updated_password", "user_modified"];
      expect((await server.events(user.id)).map(({ action }) => action)).toEqual(expect.arrayContaining(actions));
    },
  );

  test("can be reset by a mailed link; it works once and expires after an hour or with another link", async () => {
    const { email } = await server.member();
    const verify = async (token_hash: string) =>
      (await server.client().auth.verifyOtp({ token_hash, type: "recovery" })).error;
    await forgot(email);
    const first = await server.newestMail(email);
    server.clock.aheadSeconds += 61;
    await forgot(email);
    const second = await server.newestMail(email);
    expect(await verify(first.token)).toBeNull();
    expect(await verify(first.token)).toMatchObject(expired);
    expect(await verify(second.token)).toMatchObject(expired);

    server.clock.aheadSeconds += 61;
    await forgot(email);
    const third = await server.newestMail(email);
    server.clock.aheadSeconds += 60 * 60 + 1;
    expect(await verify(third.token)).toMatchObject(expired);
  });

  test("causes a mail whose link, opened with GET /verify, redirects with type=recovery", async () => {
    const { email } = await server.member();
    await forgot(email, `${siteUrl}/auth`);
    const { target, values } = await server.follow((await server.newestMail(email)).link);
    expect(target).toBe(`${siteUrl}/auth`);
    expect(values.get("type")).toBe("recovery");
  });

  test("of an unconfirmed account is removed when the mailed link confirms the email address", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await server.client().auth.signUp({ email, password });
    await server.mails();
    await forgot(email);
    const client = server.client();
    const { token } = await server.newestMail(email);
    const { data } = await client.auth.verifyOtp({ token_hash: token, type: "recovery" });
    expect(data.user?.email_confirmed_at).toBeTruthy();
    expect((await signIn(email, password)).error?.code).toBe("invalid_credentials");
    expect((await client.auth.updateUser({ password })).error).toBeNull();
    expect((await signIn(email, password)).error).toBeNull();
  });

  test("causes the same response for every email address and at most one mail a minute", async () => {
    const { email } = await server.member();
    const before = (await server.mails()).length;
    for (const address of [email, email, "nobody@example.com", "nobody@example.com"]) {
      const answer = await server.call("/auth/v1/recover", { body: { email: address } });
      expect([answer.status, await answer.json()]).toEqual([200, {}]);
    }
    expect((await server.mails()).slice(before)).toMatchObject([{ kind: "recover", to: email }]);
  });
});

describe("changing a password while signed in", () => {
  const change = (token: string, body: unknown) => server.call("/auth/v1/user", { method: "PUT", token, body });

  test("requires the current password; other sessions and recovery links then stop working", async () => {
    const { email, client, session } = await server.member();
    const other = await signIn(email, password);
    await forgot(email);
    const { token } = await server.newestMail(email);

    const none = await client.auth.updateUser({ password: better });
    expect(none.error).toMatchObject({ status: 400, code: "current_password_required" });
    const wrong = await change(session.access_token, { password: better, current_password: "wrong horse" });
    expect([wrong.status, (await wrong.json()).code]).toEqual([400, "current_password_invalid"]);
    expect((await signIn(email, password)).error).toBeNull();

    const right = await change(session.access_token, { password: better, current_password: password });
    expect(right.status).toBe(200);
    expect((await client.auth.getUser()).error).toBeNull();
    expect(await statusOf("/auth/v1/user", other.data.session?.access_token ?? "")).toBe(403);
    expect((await server.client().auth.verifyOtp({ token_hash: token, type: "recovery" })).error).toMatchObject(
      expired,
    );
    expect((await signIn(email, better)).error).toBeNull();
  });

  test("is refused with a reason if the new password is weak or equals the old password", async () => {
    const { session, client, email } = await server.member();
    const same = await change(session.access_token, { password, current_password: password });
    expect([same.status, await same.json()]).toEqual([
      422,
      { code: "same_password", message: "New password should be different from the old password." },
    ]);
    for (const [weak, reason] of [
      ["short", "length"],
      ["Password1", "pwned"],
      [email, "pwned"],
    ] as const) {
      const { error } = await client.auth.updateUser({ password: weak });
      expect(error).toMatchObject({ name: "AuthWeakPasswordError", status: 422, reasons: [reason] });
    }
  });

  test("gets status 429 after at most 10 wrong current passwords", async () => {
    const guarded = await startAuth({ limitsAreOn: true });
    const { session } = await guarded.member();
    const statuses: number[] = [];
    for (let round = 0; round < 14; round++) {
      const body = { password: better, current_password: `wrong horse ${round}` };
      statuses.push((await guarded.call("/auth/v1/user", { method: "PUT", token: session.access_token, body })).status);
    }
    expect(statuses.filter((status) => status === 400).length).toBeLessThanOrEqual(10);
    expect(statuses.at(-1)).toBe(429);
  });

  test("succeeds for only one of two concurrent requests", async () => {
    const { email, session } = await server.member();
    const passwords = ["first long walk", "second long walk"];
    const answers = await Promise.all(
      passwords.map((chosen) => change(session.access_token, { password: chosen, current_password: password })),
    );
    const granted = passwords.filter((_, index) => answers[index]?.status === 200);
    expect(granted).toHaveLength(1);
    expect((await signIn(email, granted[0] ?? "")).error).toBeNull();
  });
});

describe("PUT /user", () => {
  test("merges user data by key; null removes a key, and keys that the server sets do not change", async () => {
    const { client } = await server.member();
    await client.auth.updateUser({ data: { team: "owls", desk: 3 } });
    const { data, error } = await client.auth.updateUser({ data: { desk: null, email: "boss@example.com", floor: 2 } });
    expect(error).toBeNull();
    expect(data.user?.user_metadata).toEqual({
      team: "owls",
      floor: 2,
      email: data.user?.email,
      email_verified: true,
      phone_verified: false,
      sub: data.user?.id,
    });
    const long = await client.auth.updateUser({ data: { note: "x".repeat(4096) } });
    expect(long.error).toMatchObject({ status: 400, code: "validation_failed" });
  });
});

describe("an invitation", () => {
  const invite = (email: string) =>
    inTransaction(server.database.owner, (db) =>
      inviteAccount(db, { email, redirectTo: `${siteUrl}/`, queueMail: queueAccountMail }),
    );

  test("stays valid if a stranger signs up with the email address; the sign-up mails a new link", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await server.client().auth.signUp({ email, password: "squatter's own" });
    await server.mails();
    await invite(email);
    const first = await server.newestMail(email);
    server.clock.aheadSeconds += 61;
    expect((await server.client().auth.signUp({ email, password: "squatter's own" })).error).toBeNull();
    const second = await server.newestMail(email);
    expect(second).toMatchObject({ kind: "invite" });
    expect(second.token).not.toBe(first.token);

    const { error } = await server.client().auth.verifyOtp({ token_hash: second.token, type: "invite" });
    expect(error).toBeNull();
    expect((await signIn(email, "squatter's own")).error?.code).toBe("invalid_credentials");
    await expect(invite(email)).rejects.toMatchObject({ code: "user_already_exists" });
  });
});
