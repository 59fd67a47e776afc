import { type JWTPayload, SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { siteUrl, startAuth } from "#tests/support/auth-server";
import { loadSigningKeys } from "#tests/support/signing-keys";

const server = await startAuth();

const asUser = (token: string) => server.call("/auth/v1/user", { token });
const asReader = (token: string) => server.call("/rest/v1/contacts?select=id", { token });

describe("with Supabase's client, as in the specification,", () => {
  test("a sign-in and a sign-out cause the events SIGNED_IN and SIGNED_OUT", async () => {
    const { email, password } = await server.member();
    const client = server.client();
    const events: string[] = [];
    const { data } = client.auth.onAuthStateChange((event) => void events.push(event));
    await client.auth.signInWithPassword({ email, password });
    await client.auth.signOut();
    data.subscription.unsubscribe();
    expect(events.filter((event) => event !== "INITIAL_SESSION")).toEqual(["SIGNED_IN", "SIGNED_OUT"]);
    expect((await client.auth.getSession()).data.session).toBeNull();
  });

  test("getUser and setSession return the user", async () => {
    const { client, session, user } = await server.member();
    expect((await client.auth.getUser()).data.user).toEqual(user);
    const second = server.client();
    expect((await second.auth.setSession(session)).data.user?.id).toBe(user.id);
  });
});

test("a token that is none is refused at the data API", async () => {
  for (const token of ["", "a.b", "a.b.c"]) {
    const refused = await asReader(token);
    expect([refused.status, (await refused.json()).code]).toEqual([401, "PGRST301"]);
  }
});

describe("signing out", () => {
  test("with scope global ends all sessions of the user immediately, on both APIs", async () => {
    const { client, email, password, session } = await server.member();
    const other = await server.client().auth.signInWithPassword({ email, password });
    const tokens = [session.access_token, other.data.session?.access_token ?? ""];
    for (const token of tokens) expect((await asReader(token)).status).toBe(200);

    expect((await client.auth.signOut()).error).toBeNull();
    for (const token of tokens) {
      const refused = await asReader(token);
      expect(refused.status).toBe(401);
      expect(await refused.json()).toEqual({
        code: "PGRST303",
        message: "JWT session has ended",
        details: null,
        hint: null,
      });
      expect((await asUser(token)).status).toBe(403);
    }
  });

  test("with scope local ends the current session, with scope others all other sessions", async () => {
    const { email, password, session } = await server.member();
    const signIn = async () => {
      const client = server.client();
      const { data } = await client.auth.signInWithPassword({ email, password });
      return { client, token: data.session?.access_token ?? "" };
    };
    const [second, third] = [await signIn(), await signIn()];

    await second.client.auth.signOut({ scope: "local" });
    expect((await asUser(second.token)).status).toBe(403);
    expect((await asUser(third.token)).status).toBe(200);

    await third.client.auth.signOut({ scope: "others" });
    expect((await asUser(third.token)).status).toBe(200);
    expect((await asUser(session.access_token)).status).toBe(403);
  });

  test("gets 204 and an empty body for the first request, and 403 for a second request", async () => {
    const { session } = await server.member();
    const answer = await server.call("/auth/v1/logout", { method: "POST", token: session.access_token });
    expect([answer.status, await answer.text()]).toEqual([204, ""]);
    const again = await server.call("/auth/v1/logout", { method: "POST", token: session.access_token });
    expect([again.status, (await again.json()).code]).toEqual([403, "session_not_found"]);
  });
});

describe("the check of the access token", async () => {
  const { session } = await server.member();

  test("immediately refuses a deleted session, a deleted account and a banned user", async () => {
    const { owner } = server.database;
    for (const [sql, code] of [
      ["delete from auth.sessions where user_id = $1", "session_not_found"],
      ["delete from auth.users where id = $1", "user_not_found"],
      ["update auth.users set banned_until = 'infinity' where id = $1", "user_banned"],
    ] as const) {
      const { session, user } = await server.member();
      await owner.query(sql, [user.id]);
      const answer = await asUser(session.access_token);
      expect([answer.status, (await answer.json()).code]).toEqual([403, code]);
      expect((await asReader(session.access_token)).status).toBe(401);
    }
  });

  test("accepts a token until half a minute after it expires", async () => {
    const { session } = await server.member();
    const { access_token: token } = session;
    server.clock.aheadSeconds += 3600 + 25;
    expect((await asReader(token)).status).toBe(200);
    server.clock.aheadSeconds += 10;
    const refused = await asReader(token);
    expect([refused.status, (await refused.json()).message]).toEqual([401, "JWT expired"]);
    expect(refused.headers.get("www-authenticate")).toBe(
      'Bearer error="invalid_token", error_description="JWT expired"',
    );
    expect((await asUser(token)).status).toBe(403);
    // A caller with a bad token is not treated as anonymous: even an insert that is open to the public is refused
    // (docs/protocol.md#caller-identity).
    const insert = await server.call("/rest/v1/contacts", { token, body: { name: "Ida" } });
    expect(insert.status).toBe(401);
    server.clock.aheadSeconds -= 3600 + 35;
  });

  test.each([
    ["a signature by another key", { key: "foreign" }, "JWT cryptographic operation failed"],
    ["an unknown key id", { kid: "unknown" }, "No suitable key or wrong key type"],
    ["the public key as HMAC secret", { alg: "HS256" }, "Wrong or unsupported encoding algorithm"],
    ["the role service_role", { claims: { role: "service_role" } }, "JWT not in audience"],
    ["a wrong audience", { claims: { aud: "others" } }, "JWT not in audience"],
    ["a wrong issuer", { claims: { iss: "https://evil.example/auth/v1" } }, "JWT not in audience"],
    ["an iat in the future", { claims: { iat: 3_000_000_000 } }, "JWT issued at future"],
    ["an nbf in the future", { claims: { nbf: 3_000_000_000 } }, "JWT issued at future"],
    ["no exp", { claims: { exp: undefined } }, "JWT not in audience"],
  ])("refuses a token with %s", async (_what, forgery, message) => {
    const token = await forge(session.access_token, forgery);
    const refused = await asReader(token);
    expect([refused.status, (await refused.json()).message]).toEqual([401, message]);
    expect((await asUser(token)).status).toBe(403);
  });

  test("refuses a token without a signature", async () => {
    const [, payload] = session.access_token.split(".");
    const header = Buffer.from('{"alg":"none","typ":"JWT"}').toString("base64url");
    expect((await asReader(`${header}.${payload}.`)).status).toBe(401);
    expect((await asUser(`${header}.${payload}.x`)).status).toBe(403);
  });
});

describe("the signing keys", () => {
  test("are published without the private keys and can be cached for 10 minutes", async () => {
    const answer = await fetch(`${server.url}/auth/v1/.well-known/jwks.json`);
    expect(answer.headers.get("cache-control")).toBe("public, max-age=600");
    const key = { kty: "EC", crv: "P-256", x: expect.any(String), y: expect.any(String) };
    const use = { alg: "ES256", use: "sig", key_ops: ["verify"] };
    expect(await answer.json()).toEqual({ keys: [{ ...key, ...use, kid: (await server.keys.forSigning()).kid }] });
  });

  test("stay the same when several servers start at the same time, and after a restart", async () => {
    const { owner } = server.database;
    await owner.query("delete from auth.signing_keys");
    const loaded = await Promise.all(Array.from({ length: 4 }, () => loadSigningKeys(owner)));
    const again = await loadSigningKeys(owner);
    const signing = await Promise.all([...loaded, again].map((keys) => keys.forSigning()));
    expect(new Set(signing.map(({ kid }) => kid)).size).toBe(1);
  });
});

test("pages of other origins may call the auth API with the headers of the client", async () => {
  const preflight = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: "OPTIONS",
    headers: {
      origin: siteUrl,
      "access-control-request-method": "POST",
      "access-control-request-headers": "apikey,authorization,content-type,x-client-info,x-supabase-api-version",
    },
  });
  expect(preflight.status).toBe(204);
  const allowed = preflight.headers.get("access-control-allow-headers")?.split(", ");
  for (const name of ["apikey", "authorization", "content-type", "x-client-info", "x-supabase-api-version"]) {
    expect(allowed).toContain(name);
  }
});

/** Makes a forged token from a real token: it has other claims, another key, key id or algorithm. */
async function forge(token: string, forgery: { key?: string; kid?: string; alg?: string; claims?: JWTPayload }) {
  const claims = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
  const { kid, privateKey } = await server.keys.forSigning();
  const foreign = await crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, false, ["sign", "verify"]);
  const secret = new TextEncoder().encode(JSON.stringify((await server.keys.published()).keys[0]));
  const key = forgery.alg ? secret : forgery.key ? foreign.privateKey : privateKey;
  return new SignJWT({ ...claims, ...forgery.claims })
    .setProtectedHeader({ alg: forgery.alg ?? "ES256", typ: "JWT", kid: forgery.kid ?? kid })
    .sign(key);
}
