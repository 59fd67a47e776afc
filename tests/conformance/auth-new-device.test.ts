import { afterAll, expect, test } from "vitest";
import { startAuth } from "#tests/support/auth-server";

const server = await startAuth({ trustProxy: "loopback" });
afterAll(() => server.stop());

const firefox = (version: number) =>
  `Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`;
const iphone =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 Version/26.0 Mobile Safari/604.1";

async function signIn(email: string, userAgent: string, ip = "192.0.2.1", password = "correct horse") {
  const headers = { "user-agent": userAgent, "x-forwarded-for": ip };
  return (await server.call("/auth/v1/token?grant_type=password", { body: { email, password }, headers })).status;
}

const notices = async (email: string) => (await server.mailsTo(email)).filter(({ kind }) => kind === "new-device");

test("a sign-in from a new device sends one mail with device, IP address and time", async () => {
  const { email } = await server.member();
  await signIn(email, iphone, "192.0.2.7");
  await signIn(email, iphone, "192.0.2.8");
  expect(await notices(email)).toEqual([
    {
      kind: "new-device",
      to: email,
      link: "https://site.example/account",
      facts: [
        ["Logged in with", "the password"],
        ["Device", "Safari on an iPhone"],
        ["IP address", "192.0.2.7"],
        ["Time", expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:\d\d UTC$/)],
      ],
    },
  ]);
});

test("the first sign-in, a new browser version and a new IP address cause no new-device mail", async () => {
  const email = `${crypto.randomUUID()}@example.com`;
  await server.database.owner.query(
    `insert into auth.users (email, encrypted_password, email_confirmed_at)
     select $1, encrypted_password, now() from auth.users limit 1`,
    [email],
  );
  expect(await signIn(email, firefox(143))).toBe(200);
  expect(await signIn(email, firefox(144), "198.51.100.1")).toBe(200);
  expect(await notices(email)).toEqual([]);
});

test("the new-device mail says whether a link or a code was used, and that a second factor is asked for next", async () => {
  const { email, user } = await server.member();
  await server.database.owner.query(
    `insert into auth.mfa_factors (user_id, factor_type, status, secret, created_at, updated_at)
     values ($1, 'totp', 'verified', 'x', now(), now())`,
    [user?.id],
  );
  const facts = async (userAgent: string, secretOf: (mail: { link: string; code?: string }) => object) => {
    server.clock.aheadSeconds += 61;
    await server.client().auth.resetPasswordForEmail(email);
    const mail = (await server.mailsTo(email)).findLast(({ kind }) => kind === "recover");
    const body = { type: "recovery", ...secretOf(mail ?? { link: "" }) };
    await server.call("/auth/v1/verify", { body, headers: { "user-agent": userAgent } });
    return (await notices(email)).at(-1)?.facts?.slice(0, 2);
  };
  const factor = ["Two-step login", "not completed when we sent this email"];
  const token_hash = (link: string) => new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash");
  expect(await facts(iphone, ({ link }) => ({ token_hash: token_hash(link) }))).toEqual([
    ["Logged in with", "a link from an email"],
    factor,
  ]);
  expect(await facts(firefox(143), ({ code }) => ({ email, token: code }))).toEqual([
    ["Logged in with", "a code from an email"],
    factor,
  ]);
});

test("a sign-in with a wrong password causes no new-device mail", async () => {
  const { email } = await server.member();
  await signIn(email, iphone, "192.0.2.1", "wrong horse");
  expect(await notices(email)).toEqual([]);
});

test("a device counts as new again 180 days after its last sign-in", async () => {
  const { email } = await server.member();
  await signIn(email, iphone);
  await signIn(email, firefox(143));
  server.clock.aheadSeconds += 179 * 24 * 60 * 60;
  await signIn(email, firefox(143));
  server.clock.aheadSeconds += 2 * 24 * 60 * 60;
  await signIn(email, firefox(143));
  await signIn(email, iphone);
  const devices = (await notices(email)).map(({ facts }) => facts?.[1]?.[1]);
  expect(devices.toSorted()).toEqual(["Firefox on Windows", "Safari on an iPhone", "Safari on an iPhone"]);
});
