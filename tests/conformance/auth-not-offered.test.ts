import { createClient } from "@supabase/supabase-js";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { type AuthServer, publicKey, startAuth } from "#tests/support/auth-server";

let server: AuthServer;
let member: Awaited<ReturnType<AuthServer["member"]>>;
beforeAll(async () => {
  server = await startAuth();
  member = await server.member();
});
afterEach(() => expect(server.failures).toEqual([]));
afterAll(() => server.stop());

const email = "ada@example.com";
const phone = "+15555550123";
const password = "correct horse";
const signature = new Uint8Array(64);
const web3 = { status: 422, code: "web3_provider_disabled", message: "Web3 provider is disabled" };
const manualLinking = { status: 404, code: "manual_linking_disabled", message: "Manual linking is disabled" };
const saml = { status: 404, code: "saml_provider_disabled", message: "SAML 2.0 is disabled" };
const noPhone = (status: number, message: string) => ({ status, code: "phone_provider_disabled", message });

test.each([
  [
    "signInAnonymously",
    { status: 422, code: "anonymous_provider_disabled", message: "Anonymous sign-ins are disabled" },
    () => server.client().auth.signInAnonymously(),
  ],
  [
    "signInWithOtp for an address",
    { status: 422, code: "email_provider_disabled", message: "Login with magic link is disabled" },
    () => server.client().auth.signInWithOtp({ email }),
  ],
  [
    "signInWithOtp for a phone",
    noPhone(400, "Unsupported phone provider"),
    () => server.client().auth.signInWithOtp({ phone }),
  ],
  [
    "signUp with a phone",
    noPhone(400, "Phone signups are disabled"),
    () => server.client().auth.signUp({ phone, password }),
  ],
  [
    "signInWithPassword with a phone",
    noPhone(422, "Phone logins are disabled"),
    () => server.client().auth.signInWithPassword({ phone, password }),
  ],
  [
    "resend to a phone",
    noPhone(400, "Phone logins are disabled"),
    () => server.client().auth.resend({ phone, type: "sms" }),
  ],
  [
    "verifyOtp with a phone",
    { status: 403, code: "otp_expired", message: "Token has expired or is invalid" },
    () => server.client().auth.verifyOtp({ phone, token: "123456", type: "sms" }),
  ],
  [
    "signInWithIdToken",
    {
      status: 400,
      code: "provider_disabled",
      message: 'Provider (issuer "https://accounts.google.com") is not enabled',
    },
    () => server.client().auth.signInWithIdToken({ provider: "google", token: "x" }),
  ],
  [
    "signInWithIdToken of an unknown provider",
    { status: 400, code: "validation_failed", message: 'Custom OIDC provider "owls" not allowed' },
    () => server.client().auth.signInWithIdToken({ provider: "owls", token: "x" }),
  ],
  [
    "signInWithWeb3",
    web3,
    () => server.client().auth.signInWithWeb3({ chain: "ethereum", message: "m", signature: "0x00" }),
  ],
  [
    "signInWithWeb3 for Solana",
    web3,
    () => server.client().auth.signInWithWeb3({ chain: "solana", message: "m", signature }),
  ],
  ["signInWithSSO", saml, () => server.client().auth.signInWithSSO({ domain: "example.com" })],
  [
    "passkey.list",
    { status: 404, code: "passkey_disabled", message: "Passkeys are disabled" },
    async () => {
      const experimental = { passkey: true };
      const client = createClient(server.url, publicKey, { auth: { persistSession: false, experimental } });
      await client.auth.setSession(member.session);
      return client.auth.passkey.list();
    },
  ],
  [
    "oauth.listGrants",
    { status: 404, code: "feature_disabled", message: "OAuth server is disabled" },
    () => member.client.auth.oauth.listGrants(),
  ],
  [
    "admin.listUsers",
    { status: 404, code: "not_found", message: "There is nothing at this address" },
    () => server.client().auth.admin.listUsers(),
  ],
  [
    "reauthenticate",
    {
      status: 422,
      code: "feature_disabled",
      message: "This server does not offer reauthentication. To change a password, send the current one with it.",
    },
    () => member.client.auth.reauthenticate(),
  ],
  ["linkIdentity", manualLinking, () => member.client.auth.linkIdentity({ provider: "github" })],
  [
    "unlinkIdentity",
    manualLinking,
    async () => {
      const { data } = await member.client.auth.getUserIdentities();
      const [identity] = data?.identities ?? [];
      if (!identity) throw new Error("No identity.");
      return member.client.auth.unlinkIdentity(identity);
    },
  ],
])("%s is refused, where it can be in upstream's words", async (_call, refusal, call) => {
  expect((await call()).error).toMatchObject(refusal);
});

test("signInWithOAuth leads to an address that says, without a key, that the provider is not enabled", async () => {
  const words = async (provider: string) => {
    const { data } = await server.client().auth.signInWithOAuth({ provider: provider as "github" });
    const answer = await fetch(data.url ?? "");
    return [answer.status, (await answer.json()).msg];
  };
  expect(await words("github")).toEqual([400, "Unsupported provider: provider is not enabled"]);
  expect(await words("owls")).toEqual([400, "Unsupported provider: Provider owls could not be found"]);
});

test("requests about linked identities and reauthentication are refused with 401 before anything else without a session", async () => {
  for (const [method, path] of [
    ["GET", "/user/identities/authorize?provider=github"],
    ["DELETE", "/user/identities/x"],
    ["GET", "/reauthenticate"],
  ] as const) {
    const answer = await server.call(`/auth/v1${path}`, { method, headers: { authorization: "" } });
    expect([answer.status, (await answer.json()).code]).toEqual([401, "no_authorization"]);
  }
});

describe("the PKCE flow", () => {
  const refusal = {
    status: 422,
    code: "feature_disabled",
    message: 'This server does not offer the PKCE flow. Create the client with flowType "implicit".',
  };

  /** A client that asks for the PKCE flow; its storage holds the verifiers of the links that it has asked for. */
  function pkceClient({ url } = server) {
    const stored = new Map<string, string>();
    const storage = {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    };
    const storageKey = crypto.randomUUID();
    const options = { flowType: "pkce", storage, storageKey, autoRefreshToken: false } as const;
    return { client: createClient(url, publicKey, { auth: options }), storage, storageKey };
  }

  test.each([
    ["signUp", () => pkceClient().client.auth.signUp({ email: "pkce@example.com", password })],
    ["resetPasswordForEmail", () => pkceClient().client.auth.resetPasswordForEmail("pkce@example.com")],
    ["resend", () => pkceClient().client.auth.resend({ type: "signup", email: "pkce@example.com" })],
    [
      "updateUser with an address",
      async () => {
        const { client } = pkceClient();
        await client.auth.setSession((await server.member()).session);
        return client.auth.updateUser({ email: "pkce@example.com" });
      },
    ],
    [
      "exchangeCodeForSession",
      async () => {
        const { client, storage, storageKey } = pkceClient();
        storage.setItem(`${storageKey}-code-verifier`, JSON.stringify("verifier"));
        return client.auth.exchangeCodeForSession("code");
      },
    ],
  ])("is refused by %s, and no mail is sent", async (_call, call) => {
    expect((await call()).error).toMatchObject(refusal);
    expect(await server.mailsTo("pkce@example.com")).toEqual([]);
  });

  test("does not disturb a sign-up that needs no link", async () => {
    const autoconfirming = await startAuth({ autoconfirm: true });
    const { data, error } = await pkceClient(autoconfirming).client.auth.signUp({ email, password });
    expect([error, data.session?.user.email]).toEqual([null, email]);
    await autoconfirming.stop();
  });
});
