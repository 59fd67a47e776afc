import { afterAll, describe, expect, test } from "vitest";
import { startAuth, tokenOf } from "#tests/support/auth-server";

const server = await startAuth();
afterAll(() => server.stop());

const password = "correct horse";
const day = 24 * 60 * 60;
const failure = { status: 403, code: "otp_expired", message: "Email link is invalid or has expired" };

/** Signs up and returns the mailed link. */
async function signUp(email = `${crypto.randomUUID()}@example.com`) {
  const { error } = await server.client().auth.signUp({ email, password });
  if (error) throw error;
  return { email, link: await linkTo(email) };
}

async function linkTo(email: string): Promise<string> {
  return (await server.mailsTo(email)).at(-1)?.link ?? "";
}

describe("the confirmation link", () => {
  test.each(["signup", "email"] as const)("opens a session with type %s, once", async (type) => {
    const { email, link } = await signUp();
    const { token_hash } = tokenOf(link);
    const client = server.client();
    const { data, error } = await client.auth.verifyOtp({ token_hash, type });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, user_metadata: { email_verified: true } });
    expect(data.user?.identities?.[0]?.identity_data).toMatchObject({ email_verified: true });
    expect((await client.auth.getClaims()).data?.claims.amr).toMatchObject([{ method: "otp" }]);
    expect((await server.client().auth.verifyOtp({ token_hash, type })).error).toMatchObject(failure);
  });

  test("works only once, even for three concurrent requests", async () => {
    const { link } = await signUp();
    const opened = await Promise.all([server.follow(link), server.follow(link), server.follow(link)]);
    expect(opened.map(({ status }) => status).sort()).toEqual([200, 403, 403]);
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
      fresh.link.replace(/token_hash=\w+/, `token_hash=${"0".repeat(64)}`),
      fresh.link.replace(/token_hash=\w+/, "token_hash=%25"),
    ];
    for (const link of links) expect(await server.follow(link)).toEqual(failure);
  });

  test("leads to the front page, whatever page the request named, and no request without a body uses it up", async () => {
    const email = `${crypto.randomUUID()}@example.com`;
    await server.client().auth.signUp({ email, password, options: { emailRedirectTo: "https://evil.example/" } });
    const link = await linkTo(email);
    expect(link).not.toContain("evil");
    const { token_hash, type } = tokenOf(link);
    for (const method of ["GET", "HEAD"])
      expect((await server.call(`/auth/v1/verify?token=${token_hash}&type=${type}`, { method })).status).toBe(404);
    expect((await server.follow(link)).status).toBe(200);
  });
});

describe("a second confirmation mail", () => {
  const resend = (email: string) => server.client().auth.resend({ type: "signup", email });

  test("is sent if requested after a minute; both links work until one is used", async () => {
    const { email, link } = await signUp();
    server.clock.aheadSeconds += 61;
    expect((await resend(email)).error).toBeNull();
    const later = await linkTo(email);
    expect(later).not.toBe(link);
    expect((await server.follow(link)).status).toBe(200);
    expect(await server.follow(later)).toEqual(failure);
  });

  test("invalidates links that are older than an hour", async () => {
    const { email, link } = await signUp();
    server.clock.aheadSeconds += 60 * 60 + 1;
    await resend(email);
    const later = await linkTo(email);
    expect(await server.follow(link)).toEqual(failure);
    expect((await server.follow(later)).status).toBe(200);
  });

  test("is sent only once for 20 concurrent requests", async () => {
    const { email } = await signUp();
    server.clock.aheadSeconds += 61;
    const before = (await server.mails()).length;
    await Promise.all(Array.from({ length: 20 }, () => resend(email)));
    expect(await server.mails()).toHaveLength(before + 1);
  });
});

test("the token of a mailed link is not stored as plain text", async () => {
  const { link } = await signUp();
  const { rows } = await server.database.owner.query("select one_time_tokens::text as row from auth.one_time_tokens");
  expect(rows.map(({ row }) => row).join()).not.toContain(tokenOf(link).token_hash);
});
