import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AuthServer, startAuth } from "#tests/support/auth-server";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuth();
});
afterEach(() => expect(server.failures).toEqual([]));
afterAll(() => server.stop());

const codeFor = async (address: string) =>
  (await server.mailsTo(address)).findLast(({ kind }) => kind === "reauthenticate")?.code ?? "";

describe("reauthenticate()", () => {
  const change = (nonce?: string) => ({
    password: "another horse",
    current_password: "correct horse",
    ...(nonce && { nonce }),
  });
  const wrong = (code: string) => code.slice(0, 5) + ((Number(code[5]) + 1) % 10);
  const refused = { status: 422, code: "reauthentication_not_valid", message: "Nonce has expired or is invalid" };

  test("mails a code, which a change of the password uses up beside the current password", async () => {
    const { client, email } = await server.member();
    expect((await client.auth.reauthenticate()).error).toBeNull();
    const code = await codeFor(email);
    expect(code).toMatch(/^\d{6}$/);
    expect((await client.auth.getUser()).data.user).toHaveProperty("reauthentication_sent_at");

    const { error } = await client.auth.updateUser({ password: "another horse", nonce: code });
    expect(error).toMatchObject({ status: 400, code: "current_password_required" });
    expect((await client.auth.updateUser(change(wrong(code)))).error).toMatchObject(refused);
    expect((await client.auth.updateUser(change(code))).error).toBeNull();
    const { error: refusal } = await server.client().auth.signInWithPassword({ email, password: "another horse" });
    expect(refusal).toBeNull();
    const again = { password: "a third horse", current_password: "another horse", nonce: code };
    expect((await client.auth.updateUser(again)).error).toMatchObject(refused);
  });

  test("mails a code that opens no session and that no other account can use", async () => {
    const { client, email } = await server.member();
    await client.auth.reauthenticate();
    const code = await codeFor(email);
    for (const each of ["email", "recovery", "email_change", "reauthentication"]) {
      const { error } = await server.client().auth.verifyOtp({ email, token: code, type: each as "email" });
      expect(error).toMatchObject({ status: 403, code: "otp_expired" });
    }
    const other = await server.member();
    expect((await other.client.auth.updateUser(change(code))).error).toMatchObject(refused);
  });

  test("mails once a minute, only to a session, and no code is good for more than five guesses", async () => {
    const { client, email } = await server.member();
    await client.auth.reauthenticate();
    expect((await client.auth.reauthenticate()).error).toMatchObject({
      status: 429,
      message: expect.stringMatching(/^For security purposes, you can only request this after \d+ seconds\.$/),
    });
    const code = await codeFor(email);
    for (let round = 0; round < 5; round++)
      expect((await client.auth.updateUser(change(wrong(code)))).error).toMatchObject(refused);
    expect((await client.auth.updateUser(change(code))).error).toMatchObject(refused);
    expect((await server.call("/auth/v1/reauthenticate")).status).toBe(403);
  });

  test("is refused to an account whose address is not confirmed", async () => {
    const { client, user } = await server.member();
    await server.database.owner.query("update auth.users set email_confirmed_at = null where id = $1", [user?.id]);
    expect((await client.auth.reauthenticate()).error).toMatchObject({ status: 422, code: "email_not_confirmed" });
  });
});
