import { describe, expect, test } from "vitest";
import { hashThreadsMax, limitHashing } from "#backend/auth/passwords/password-hasher";
import { startAuth } from "#tests/support/auth-server";

const server = await startAuth();

describe("signing in with a password", () => {
  test("returns a session whose access token names the user and the sign-in method", async () => {
    const { email, session, user } = await server.member();
    expect(session).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    expect(session.expires_at).toBeCloseTo(Date.now() / 1000 + 3600, -1);
    expect(user).toMatchObject({ email, user_metadata: { email_verified: true } });
    expect(user.last_sign_in_at).toBeTruthy();
    expect(user.confirmed_at).toBe(user.email_confirmed_at);

    const [header, payload] = session.access_token
      .split(".")
      .slice(0, 2)
      .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
    expect(header).toEqual({ alg: "ES256", typ: "JWT", kid: (await server.keys.forSigning()).kid });
    expect(payload).toEqual({
      iss: "https://site.example/auth/v1",
      sub: user.id,
      aud: "authenticated",
      exp: payload.iat + 3600,
      iat: expect.any(Number),
      email,
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: { email, email_verified: true, phone_verified: false, sub: user.id },
      role: "authenticated",
      aal: "aal1",
      // The session may begin in the second before its token is signed.
      amr: [{ method: "password", timestamp: Math.floor(Date.parse(user.last_sign_in_at ?? "") / 1000) }],
      session_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      is_anonymous: false,
    });
    // The signature is two numbers of 32 bytes, r and s. It is not in DER format (docs/protocol.md#access-token).
    expect(Buffer.from(session.access_token.split(".")[2] ?? "", "base64url")).toHaveLength(64);
  });

  test("returns weak_password as Supabase does, and Cache-Control: no-store", async () => {
    const { email, password } = await server.member();
    const answer = await server.call("/auth/v1/token?grant_type=password", { body: { email, password } });
    expect(await answer.json()).toMatchObject({ weak_password: null });
    expect(answer.headers.get("cache-control")).toBe("no-store");
  });

  test("ignores letter case and surrounding spaces of the email address", async () => {
    const { email, password } = await server.member();
    const { error } = await server.client().auth.signInWithPassword({ email: ` ${email.toUpperCase()} `, password });
    expect(error).toBeNull();
  });

  test("returns the same error for an unknown email address and a wrong password, and logs both", async () => {
    const { email, user } = await server.member();
    const wrong = await server.client().auth.signInWithPassword({ email, password: "wrong horse" });
    const unknownBefore = (await server.events("")).length;
    const unknown = await server.client().auth.signInWithPassword({ email: "nobody@example.com", password: "x" });
    const failure = { action: "login_failed", ip: "127.0.0.1" };
    expect((await server.events(user.id)).at(-1)).toMatchObject(failure);
    expect((await server.events("")).slice(unknownBefore)).toMatchObject([failure]);

    for (const { error } of [wrong, unknown]) {
      expect(error).toMatchObject({ status: 400, code: "invalid_credentials", message: "Invalid login credentials" });
    }
  });

  test("reveals that an email address is unconfirmed only if the password is correct", async () => {
    const email = "unconfirmed@example.com";
    await server.client().auth.signUp({ email, password: "correct horse" });
    const right = await server.client().auth.signInWithPassword({ email, password: "correct horse" });
    expect(right.error).toMatchObject({ status: 400, code: "email_not_confirmed", message: "Email not confirmed" });
    const wrong = await server.client().auth.signInWithPassword({ email, password: "wrong horse" });
    expect(wrong.error?.code).toBe("invalid_credentials");
  });

  test("is refused for a banned account and for an account without a password", async () => {
    const { email, password, user } = await server.member();
    const { owner } = server.database;
    const signIn = async (secret: string) =>
      (await server.client().auth.signInWithPassword({ email, password: secret })).error?.code;
    await owner.query("update auth.users set banned_until = 'infinity' where id = $1", [user.id]);
    expect([await signIn(password), await signIn("wrong horse")]).toEqual(["user_banned", "invalid_credentials"]);
    await owner.query("update auth.users set encrypted_password = null, banned_until = null where id = $1", [user.id]);
    expect(await signIn(password)).toBe("invalid_credentials");
  });
});

test("a sign-in with the old password fails if the password changes during the sign-in", async () => {
  const { email, password, user } = await server.member();
  const { owner } = server.database;
  const db = await owner.connect();
  await db.query("begin");
  await db.query("update auth.users set encrypted_password = 'another' where id = $1", [user.id]);

  const signIn = server.client().auth.signInWithPassword({ email, password });
  const waiting = "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await expect.poll(async () => (await owner.query(waiting)).rowCount).toBeGreaterThan(0);
  await db.query("commit");
  db.release();

  expect((await signIn).error).toMatchObject({ code: "invalid_credentials" });
  const { rows } = await owner.query("select encrypted_password from auth.users where id = $1", [user.id]);
  expect(rows).toEqual([{ encrypted_password: "another" }]);
});

test("a sign-in that finds the queue for hashing full gets 429", async () => {
  const held = Promise.withResolvers<void>();
  const queue = Array.from({ length: hashThreadsMax + 50 }, () => limitHashing(() => held.promise));
  const body = { email: "flood@example.com", password: "x" };
  const refused = await server.call("/auth/v1/token?grant_type=password", { body });
  held.resolve();
  await Promise.all(queue);
  const message = "Request rate limit reached. Please try again in 1 second.";
  expect([refused.status, await refused.json()]).toEqual([429, { code: "over_request_rate_limit", message }]);
});

test("passwords and mailed codes are stored as Argon2id hashes, and no token as plain text", async () => {
  const { email, password, session } = await server.member();
  await server.client().auth.resetPasswordForEmail(email);
  const { code, token } = await server.newestMail(email);
  const { rows } = await server.database.owner.query(
    `select encrypted_password, code_hash, concat(u, t, (select string_agg(r::text, '') from auth.refresh_tokens r)) as stored
     from auth.users u join auth.one_time_tokens t on t.user_id = u.id where email = $1`,
    [email],
  );
  for (const hash of [rows[0].encrypted_password, rows[0].code_hash]) expect(hash).toMatch(/^\$argon2id\$/);
  const refreshToken = Buffer.from(session.refresh_token, "base64url");
  expect(refreshToken).toHaveLength(32);
  const secrets = [password, code, token, session.refresh_token, refreshToken.toString("hex")];
  expect(secrets.filter((secret) => rows[0].stored.includes(secret))).toEqual([]);
});
