import { describe, expect, test } from "vitest";
import { apiLinkOf, siteUrl, startAuth } from "#tests/support/auth-server";

const server = await startAuth({ redirectUrls: ["https://*.preview.example/**"] });

const password = "correct horse";
const day = 24 * 60 * 60;
const failure = "error=access_denied&error_code=otp_expired&error_description=Email+link+is+invalid+or+has+expired&sb=";

/** Signs up and returns the mailed link. */
async function signUp(redirectTo = `${siteUrl}/`, email = `${crypto.randomUUID()}@example.com`) {
  const options = { emailRedirectTo: redirectTo };
  const { error } = await server.client().auth.signUp({ email, password, options });
  if (error) throw error;
  return { email, link: await linkTo(email) };
}

async function linkTo(email: string): Promise<string> {
  return apiLinkOf((await server.mailsTo(email)).at(-1)?.link ?? "");
}

function tokenIn(link: string): string {
  return new URL(link).searchParams.get("token") ?? "";
}

describe("the confirmation link", () => {
  test("redirects to the front page with a session in the URL fragment", async () => {
    const { email, link } = await signUp();
    const { status, target, values } = await server.follow(link);
    expect([status, target]).toEqual([303, `${siteUrl}/`]);
    expect([...values.keys()]).toEqual([
      "access_token",
      "expires_at",
      "expires_in",
      "refresh_token",
      "sb",
      "token_type",
      "type",
    ]);
    expect(Object.fromEntries(values)).toMatchObject({
      expires_in: "3600",
      sb: "",
      token_type: "bearer",
      type: "signup",
    });

    const { data } = await server.client().auth.setSession({
      access_token: values.get("access_token") ?? "",
      refresh_token: values.get("refresh_token") ?? "",
    });
    expect(data.user).toMatchObject({ email, user_metadata: { email_verified: true } });
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true });
    const claims = await server.client().auth.getClaims(values.get("access_token") ?? "");
    expect(claims.data?.claims.amr).toMatchObject([{ method: "otp" }]);
  });

  test("works only once, even for three concurrent requests", async () => {
    const { link } = await signUp();
    const opened = await Promise.all([server.follow(link), server.follow(link), server.follow(link)]);
    expect(opened.filter(({ values }) => values.has("access_token"))).toHaveLength(1);
    expect(opened.filter(({ fragment }) => fragment === failure)).toHaveLength(2);
  });

  test("is refused in the same way if already used, expired, unknown or of another type", async () => {
    const usedUp = await signUp();
    await server.follow(usedUp.link);
    const fresh = await signUp();
    const old = await signUp();
    server.clock.aheadSeconds += day + 1;
    const links = [
      usedUp.link,
      old.link,
      fresh.link.replace("type=signup", "type=recovery"),
      fresh.link.replace(/token=\w+/, `token=${"0".repeat(64)}`),
      fresh.link.replace(/token=\w+/, "token=%00"),
    ];
    for (const link of links) {
      expect(await server.follow(link)).toMatchObject({ status: 303, target: `${siteUrl}/`, fragment: failure });
    }
  });

  test("can still be used after a HEAD request", async () => {
    const { link } = await signUp();
    const head = await fetch(link.replace(siteUrl, server.url), { method: "HEAD", redirect: "manual" });
    expect(head.status).toBeGreaterThanOrEqual(400);
    expect((await server.follow(link)).values.has("access_token")).toBe(true);
  });

  test.each([
    [`${siteUrl}/welcome?from=mail`, `${siteUrl}/welcome?from=mail`],
    ["https://a.preview.example/welcome", "https://a.preview.example/welcome"],
    ["https://a.evil.example/welcome", `${siteUrl}/`],
  ])("with redirect_to %s redirects to %s", async (redirectTo, expected) => {
    const { link } = await signUp(redirectTo);
    expect((await server.follow(link)).target).toBe(expected);
    const changed = new URL((await signUp()).link);
    changed.searchParams.set("redirect_to", redirectTo);
    expect((await server.follow(changed.href)).target).toBe(expected);
  });
});

describe("POST /verify", () => {
  test.each(["signup", "email"] as const)(
    "confirms an email address with a token hash of type %s only once",
    async (type) => {
      const { email, link } = await signUp();
      const { data, error } = await server.client().auth.verifyOtp({ token_hash: tokenIn(link), type });
      expect(error).toBeNull();
      expect(data.session?.user).toMatchObject({ email });
      const again = await server.client().auth.verifyOtp({ token_hash: tokenIn(link), type });
      expect(again.error).toMatchObject({
        status: 403,
        code: "otp_expired",
        message: "Email link is invalid or has expired",
      });
    },
  );
});

describe("a second confirmation mail", () => {
  const resend = (email: string) => server.client().auth.resend({ type: "signup", email });

  test("is sent if requested after a minute; both links work until one is used", async () => {
    const { email, link } = await signUp();
    server.clock.aheadSeconds += 61;
    expect((await resend(email)).error).toBeNull();
    const later = await linkTo(email);
    expect(later).not.toBe(link);
    expect((await server.follow(link)).values.has("access_token")).toBe(true);
    expect((await server.follow(later)).fragment).toBe(failure);
  });

  test("invalidates links that are older than an hour", async () => {
    const { email, link } = await signUp();
    server.clock.aheadSeconds += 60 * 60 + 1;
    await resend(email);
    const later = await linkTo(email);
    expect((await server.follow(link)).fragment).toBe(failure);
    expect((await server.follow(later)).values.has("access_token")).toBe(true);
  });

  test("is sent only once for 20 concurrent requests", async () => {
    const { email } = await signUp();
    server.clock.aheadSeconds += 61;
    const before = (await server.mails()).length;
    await Promise.all(Array.from({ length: 20 }, () => resend(email)));
    expect(await server.mails()).toHaveLength(before + 1);
  });
});
