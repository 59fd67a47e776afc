import { describe, expect, test } from "vitest";
import { apiLinkOf, siteUrl, startAuth } from "#tests/support/auth-server";

const server = await startAuth();

const password = "correct horse";
const emailRedirectTo = `${siteUrl}/`;

function signUp(email: string, data?: Record<string, unknown>) {
  return server.client().auth.signUp({ email, password, options: { emailRedirectTo, ...(data && { data }) } });
}

const mailsTo = (address: string) => server.mailsTo(address);
const signIn = (email: string, secret: string) => server.client().auth.signInWithPassword({ email, password: secret });

describe("a sign-up that needs confirmation", () => {
  test("returns the user without a session, and mails one link", async () => {
    const { data, error } = await signUp("New.Person@Example.com ", { team: "owls" });
    expect(error).toBeNull();
    expect(data.session).toBeNull();
    expect(data.user).toMatchObject({
      aud: "authenticated",
      role: "authenticated",
      email: "new.person@example.com",
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: {
        email: "new.person@example.com",
        email_verified: false,
        phone_verified: false,
        sub: data.user?.id,
        team: "owls",
      },
      is_anonymous: false,
    });
    expect(data.user?.identities).toMatchObject([{ id: data.user?.id, user_id: data.user?.id, provider: "email" }]);
    expect(data.user?.confirmation_sent_at).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+\.\d+Z$/);
    expect(data.user).not.toHaveProperty("email_confirmed_at");

    const mails = await mailsTo("new.person@example.com");
    expect(mails).toMatchObject([{ kind: "confirm-address" }]);
    expect(apiLinkOf(mails[0]?.link ?? "")).toMatch(
      /^https:\/\/site\.example\/auth\/v1\/verify\?token=[0-9a-f]{64}&type=signup&redirect_to=/,
    );
  });

  test("mails a new link when repeated with the same password, and keeps the password and user data", async () => {
    const email = "repeated@example.com";
    const first = await signUp(email, { team: "owls" });
    await mailsTo(email);
    server.clock.aheadSeconds += 61;
    const second = await signUp(email, { team: "x" });
    // The answer reveals neither the first sign-up nor its data.
    expect(second.data.user?.id).not.toBe(first.data.user?.id);
    expect(second.data.user?.user_metadata.team).toBe("x");

    const [firstMail, secondMail] = await mailsTo(email);
    const { values } = await server.follow(secondMail?.link ?? "");
    expect((await server.follow(firstMail?.link ?? "")).values.get("error_code")).toBe("otp_expired");
    const { data } = await server.client().auth.getUser(values.get("access_token") ?? "");
    expect(data.user).toMatchObject({ id: first.data.user?.id, user_metadata: { team: "owls" } });
    expect(data.user?.app_metadata).not.toHaveProperty("has_password");
    expect((await signIn(email, password)).error).toBeNull();
  });

  test("repeated within a minute gets the same 429 for confirmed and unconfirmed email addresses", async () => {
    const { email } = await server.member();
    server.clock.aheadSeconds += 60;
    for (const address of [email, "waiting@example.com"]) {
      expect((await signUp(address)).error).toBeNull();
      const { error } = await signUp(address);
      expect(error).toMatchObject({ status: 429, code: "over_email_send_rate_limit" });
      expect(error?.message).toMatch(/^For security purposes, you can only request this after \d+ seconds\.$/);
    }
  });

  test("stores no secret in the job queue", async () => {
    server.clock.mailIsDown = true;
    await signUp("waiting-in-line@example.com");
    await mailsTo("waiting-in-line@example.com");
    const { rows } = await server.database.owner.query("select payload from private.jobs");
    expect(rows.map(({ payload }) => Object.keys(payload).sort())).toContainEqual([
      "email",
      "kind",
      "redirectTo",
      "requestedAt",
    ]);
    expect(JSON.stringify(rows)).not.toContain("token");
    server.clock.mailIsDown = false;
  });

  test("sent 20 times concurrently creates one account and one mail", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => signUp("eager@example.com")));
    expect(answers.filter(({ error }) => !error)).toHaveLength(1);
    expect(answers.filter(({ error }) => error?.status === 429)).toHaveLength(19);
    expect(await mailsTo("eager@example.com")).toHaveLength(1);
  });
});

describe("an address that a stranger signed up first", () => {
  const strangers = "stranger's own";
  const owners = "owner's choice";
  const signUpWith = (email: string, secret: string) =>
    server.client().auth.signUp({ email, password: secret, options: { data: { by: secret } } });
  const tokenOf = (link = "") => new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash") ?? "";

  test("has no password after its owner signs up too and follows the newest link: the owner must choose one", async () => {
    const email = "taken@example.com";
    await signUpWith(email, strangers);
    server.clock.aheadSeconds += 61;
    expect((await signUpWith(email, owners)).error).toBeNull();
    server.clock.aheadSeconds += 61;
    // A third sign-up, with the first password again, does not bring that password back.
    await signUpWith(email, strangers);

    const newest = (await mailsTo(email)).at(-1);
    expect(newest?.kind).toBe("confirm-address");
    const owner = server.client();
    const { data, error } = await owner.auth.verifyOtp({ token_hash: tokenOf(newest?.link), type: "signup" });
    expect(error).toBeNull();
    expect(data.user?.app_metadata).toEqual({ provider: "email", providers: ["email"], has_password: false });
    expect(data.user?.user_metadata).not.toHaveProperty("by");
    expect((await owner.auth.getUser()).data.user?.app_metadata.has_password).toBe(false);
    expect((await owner.auth.refreshSession()).data.user?.app_metadata.has_password).toBe(false);
    for (const secret of [strangers, owners])
      expect((await signIn(email, secret)).error?.code).toBe("invalid_credentials");

    const chosen = await owner.auth.updateUser({ password: owners });
    expect(chosen.data.user?.app_metadata).toEqual({ provider: "email", providers: ["email"] });
    expect((await signIn(email, strangers)).error?.code).toBe("invalid_credentials");
    expect((await signIn(email, owners)).error).toBeNull();
  });

  test("keeps its password if the second sign-up is refused with 429, and if the address is confirmed", async () => {
    const email = "hasty@example.com";
    await signUpWith(email, strangers);
    expect((await signUpWith(email, owners)).error?.status).toBe(429);
    expect((await signIn(email, strangers)).error?.code).toBe("email_not_confirmed");

    const [mail] = await mailsTo(email);
    await server.follow(mail?.link ?? "");
    server.clock.aheadSeconds += 61;
    expect((await signUpWith(email, owners)).error).toBeNull();
    expect((await signIn(email, strangers)).error).toBeNull();
  });

  test("loses that password if the link or code is used with discard_password", async () => {
    for (const by of ["link", "code"]) {
      const email = `elsewhere-by-${by}@example.com`;
      await signUpWith(email, strangers);
      const [mail] = await mailsTo(email);
      const secret = by === "link" ? { token_hash: tokenOf(mail?.link) } : { email, token: mail?.code };
      const answer = await server.call("/auth/v1/verify", {
        body: { ...secret, type: "email", discard_password: true },
      });
      expect(answer.status).toBe(200);
      expect((await answer.json()).user.app_metadata.has_password).toBe(false);
      expect((await signIn(email, strangers)).error?.code).toBe("invalid_credentials");
    }
    const { email } = await server.member();
    await server.client().auth.resetPasswordForEmail(email);
    const mail = (await mailsTo(email)).at(-1);
    await server.call("/auth/v1/verify", {
      body: { token_hash: tokenOf(mail?.link), type: "recovery", discard_password: true },
    });
    // The owner has confirmed this address before, so the password is the owner's.
    expect((await signIn(email, password)).error).toBeNull();
  });
});

test("the user data of a sign-up cannot override the email address or its confirmation", async () => {
  const { data } = await signUp("liar@example.com", { email: "boss@example.com", email_verified: true, sub: "1" });
  expect(data.user?.user_metadata).toMatchObject({
    email: "liar@example.com",
    email_verified: false,
    sub: data.user?.id,
  });
});

test("with AUTH_AUTOCONFIRM=on a sign-up returns a session; a second sign-up is refused", async () => {
  const auto = await startAuth({ autoconfirm: true });
  const first = await auto.client().auth.signUp({ email: "quick@example.com", password });
  expect(first.data.session?.user.email_confirmed_at).toBeTruthy();
  const second = await auto.client().auth.signUp({ email: "quick@example.com", password });
  expect(second.error).toMatchObject({ status: 422, code: "user_already_exists", message: "User already registered" });
  expect(await auto.mails()).toEqual([]);
});

test.each(["invited", "closed"] as const)("with AUTH_SIGNUP=%s a visitor cannot make an account", async (signUps) => {
  const closed = await startAuth({ signUps });
  const { error } = await closed.client().auth.signUp({ email: "a@example.com", password: "correct horse" });
  expect(error).toMatchObject({
    status: 422,
    code: "signup_disabled",
    message: "Signups not allowed for this instance",
  });
  expect((await closed.database.owner.query("select from auth.users")).rowCount).toBe(0);
  expect(await closed.mails()).toEqual([]);
  expect(await (await closed.call("/auth/v1/settings")).json()).toMatchObject({ disable_signup: true });
});
