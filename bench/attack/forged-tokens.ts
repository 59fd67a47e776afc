import { createHmac, randomUUID } from "node:crypto";
import { exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from "jose";
import { algorithm } from "#backend/auth/tokens/signing-keys";
import { defaultPublicKey } from "#server/settings";
import { publicAddress } from "../load/requests.ts";
import { emails, signInAs, type Tally, type Target } from "./target.ts";

/** Where a token may open something. Each answers 200 or 204 to the token of an admin. */
const protectedRoutes = [
  { method: "GET", path: "/rest/v1/contacts?select=id,email&limit=1" },
  { method: "PATCH", path: "/rest/v1/contacts?email=like.*", body: '{"state": "archived"}' },
  { method: "DELETE", path: "/rest/v1/contacts?email=like.*" },
  { method: "GET", path: "/auth/v1/user" },
  { method: "GET", path: "/auth/v1/sessions" },
  { method: "GET", path: "/auth/v1/audit" },
  { method: "PUT", path: "/auth/v1/user", body: '{"data": {"owned": true}}' },
];

type Headers = Record<string, string>;

/** Sends forged and stale tokens, and odd API keys, to everything that a token opens. None may open anything. */
export async function runForgedTokens(target: Target): Promise<Tally> {
  const [url = ""] = target.urls;
  const tally: Tally = { requests: 0, problems: [] };

  async function call({ method, path, body }: (typeof protectedRoutes)[number], credentials: Headers) {
    const from = publicAddress(++tally.requests);
    const headers = { "content-type": "application/json", "x-forwarded-for": from, ...credentials };
    const { status, body: answer } = await fetch(url + path, { method, headers, body });
    await answer?.cancel();
    return status;
  }

  async function attack(name: string, credentials: Headers) {
    const statuses = await Promise.all(protectedRoutes.map((route) => call(route, credentials)));
    for (const [index, status] of statuses.entries()) {
      if (status >= 400 && status < 500) continue;
      const { method, path } = protectedRoutes[index] ?? {};
      tally.problems.push(`${method} ${path} answers ${status} to ${name}.`);
    }
  }

  // Without this check, a wrong address would make every attack look refused.
  const { access_token: token, refresh_token } = await signInAs("admin", target);
  for (const route of protectedRoutes) {
    const status = await call(route, bearer(token));
    if (status !== 200 && status !== 204)
      tally.problems.push(`${route.path} answers ${status} to the admin's own token.`);
  }

  for (const [name, forged] of Object.entries(await forgeTokens(target, token))) await attack(name, bearer(forged));
  for (const [name, credentials] of Object.entries(keyTricks(token))) await attack(name, credentials);
  await attack("a refresh token as bearer", bearer(refresh_token));
  await fetch(`${url}/auth/v1/logout?scope=local`, { method: "POST", headers: bearer(token) });
  await attack("the token of a session that has ended", bearer(token));
  return tally;
}

const bearer = (token: string, apikey = defaultPublicKey): Headers => ({ apikey, authorization: `Bearer ${token}` });

function keyTricks(token: string): Record<string, Headers> {
  const apikey = defaultPublicKey;
  return {
    "no key": {},
    "the key alone": bearer(apikey),
    "a secret key": bearer("sb_secret_embedded", "sb_secret_embedded"),
    "a token as key": bearer(token, token),
    "a token without key": { authorization: `Bearer ${token}` },
    "a token as password": { apikey, authorization: `Basic ${btoa(`admin:${token}`)}` },
    "a token in a cookie": { apikey, cookie: `sb-access-token=${token}` },
  };
}

/** Tokens that differ from a valid one in one respect. Those with wrong claims are signed with the server's own key. */
async function forgeTokens({ database }: Target, valid: string): Promise<Record<string, string>> {
  const [head = "", body = "", signature = ""] = valid.split(".");
  const [header, claims] = [head, body].map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  const keys = await database.query<{ private_jwk: JWK }>("select private_jwk from auth.signing_keys limit 1");
  const { d: _secret, ...publicJwk } = keys.rows[0]?.private_jwk ?? {};
  const own = (await importJWK(keys.rows[0]?.private_jwk ?? {}, algorithm)) as CryptoKey;
  const other = await generateKeyPair(algorithm, { extractable: true });
  const otherJwk = await exportJWK(other.publicKey);
  const member = await database.query("select id from auth.users where email = $1", [emails.member]);
  const now = Math.floor(Date.now() / 1000);

  const withHeader = (changed: object) => `${encode({ ...header, ...changed })}.${body}.${signature}`;
  const hmac = (secret: string) => {
    const input = `${encode({ ...header, alg: "HS256" })}.${body}`;
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
  };
  const signed = (changed: object, key = own, more = {}) =>
    new SignJWT(JSON.parse(JSON.stringify({ ...claims, ...changed })))
      .setProtectedHeader({ ...header, ...more })
      .sign(key);

  const wrongClaims: Record<string, unknown[]> = {
    iss: ["https://attack.example/auth/v1", undefined],
    aud: ["admin", undefined],
    exp: [now - 60, "9999999999", undefined],
    nbf: [now + 3600],
    iat: [now + 3600, undefined],
    role: ["service_role", "postgres", "admin", "anon", "authenticator", "", null, ["authenticated"], undefined],
    sub: [member.rows[0]?.id, randomUUID(), "' or '1'='1", undefined],
    session_id: [randomUUID(), "' or '1'='1", undefined],
  };
  const tokens: Record<string, string> = {
    "alg none": `${encode({ alg: "none" })}.${body}.`,
    "alg None and a signature": withHeader({ alg: "None" }),
    "no alg": withHeader({ alg: undefined }),
    "HS256 with the public key as secret": hmac(JSON.stringify(publicJwk)),
    "HS256 with the API key as secret": hmac(defaultPublicKey),
    "HS256 with an empty secret": hmac(""),
    "another server's key": await signed({}, other.privateKey),
    "a key in the header": await signed({}, other.privateKey, { jwk: otherJwk }),
    "a key at an address": await signed({}, other.privateKey, { jku: "http://127.0.0.1:1/jwks.json" }),
    "an unknown critical header": withHeader({ crit: ["x"], x: 1 }),
    "a changed claim": `${head}.${encode({ ...claims, email: "other@seeded.example" })}.${signature}`,
    "no signature": `${head}.${body}.`,
    "a longer signature": `${valid}AAAA`,
    "a signature of zeros": `${head}.${body}.${Buffer.alloc(64).toString("base64url")}`,
    "a fourth part": `${valid}.${signature}`,
    "a JWE": `${encode({ alg: "dir", enc: "A256GCM" })}..AAAA.AAAA.AAAA`,
    "claims that are not JSON": `${head}.${btoa("x")}.${signature}`,
    "a token of 12 KB": `${head}.${body}${"A".repeat(12_000)}.${signature}`,
  };
  for (const kid of ["", "unknown", "../../../../dev/null", "' or '1'='1", "__proto__", "a\0b"])
    tokens[`key id ${JSON.stringify(kid)}`] = withHeader({ kid });
  for (const [claim, values] of Object.entries(wrongClaims))
    for (const value of values)
      tokens[`the claim ${claim} ${JSON.stringify(value)}`] = await signed({ [claim]: value });
  return tokens;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
