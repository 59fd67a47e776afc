import { expect, test } from "vitest";
import { startAuth } from "#tests/support/auth-server";

test.each(["invited", "closed"] as const)("with AUTH_SIGNUP=%s a visitor cannot make an account", async (signUps) => {
  const server = await startAuth({ signUps });
  const { error } = await server.client().auth.signUp({ email: "a@example.com", password: "correct horse" });
  expect(error).toMatchObject({
    status: 422,
    code: "signup_disabled",
    message: "Signups not allowed for this instance",
  });
  expect((await server.database.owner.query("select from auth.users")).rowCount).toBe(0);
  expect(await server.mails()).toEqual([]);
  expect(await (await server.call("/auth/v1/settings")).json()).toMatchObject({ disable_signup: true });
  await server.stop();
});

test("a mailed link redirects only to sites in AUTH_REDIRECT_URLS, otherwise to the front page", async () => {
  const server = await startAuth({ redirectUrls: ["https://*.preview.example/**"] });
  const ends = async (emailRedirectTo: string) => {
    const email = `${crypto.randomUUID()}@example.com`;
    await server.client().auth.signUp({ email, password: "correct horse", options: { emailRedirectTo } });
    return (await server.follow((await server.mailsTo(email)).at(-1)?.link ?? "")).target;
  };
  expect(await ends("https://a.preview.example/welcome")).toBe("https://a.preview.example/welcome");
  expect(await ends("https://a.evil.example/welcome")).toBe("https://site.example/");
  await server.stop();
});
