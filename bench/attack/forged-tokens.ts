import { createHmac, createPrivateKey, randomUUID, sign as signBytes } from "node:crypto";
import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
  type JWTPayload,
  SignJWT,
} from "jose";
import { algorithm } from "#server/auth/tokens/signing-keys";
import { defaultPublicKey } from "#server/settings";
import { publicAddress } from "../load/requests.ts";
import { countAnswer, newTally, type Tally } from "./tally.ts";
import type { Target } from "./target.ts";

/** One character of the token is changed, at each of this many places. */
const changedPlaces = 20;

/** Where a token may open something. Each answers 200 or 204 to the token of an admin. */
const protectedRoutes = [
  { method: "GET", path: "/rest/v1/contacts?select=id,email&limit=1" },
  { method: "PATCH", path: "/rest/v1/contacts?email=like.*", body: { state: "archived" } },
  { method: "DELETE", path: "/rest/v1/contacts?email=like.*" },
  { method: "GET", path: "/auth/v1/user" },
  { method: "GET", path: "/auth/v1/sessions" },
  { method: "GET", path: "/auth/v1/audit" },
  { method: "PUT", path: "/auth/v1/user", body: { data: { owned: true } } },
] as const;

type Headers = Record<string, string>;

/** Sends forged and stale tokens, and odd API keys, to everything that a token opens. None may open anything. */
export async function runForgedTokens(target: Target, seed: number): Promise<Tally> {
  const tally = newTally();
  const url = `http://127.0.0.1:${target.site.port}`;
  let sent = 0;

  async function call(route: (typeof protectedRoutes)[number], headers: Headers): Promise<number> {
    sent += 1;
    const { method, path } = route;
    const body = "body" in route ? JSON.stringify(route.body) : undefined;
    const from = { "x-forwarded-for": publicAddress(sent) };
    const answer = await fetch(url + path, { method, headers: { ...from, ...headers }, body });
    await answer.arrayBuffer();
    return answer.status;
  }

  /** All routes at once: the server looks for an unknown key once in 250 ms. */
  async function attack(name: string, headers: Headers) {
    await Promise.all(
      protectedRoutes.map(async (route) => {
        const status = await call(route, headers);
        const description = `${route.method} ${route.path} with ${name}`;
        countAnswer(tally, { status }, description);
        if (status >= 400) return;
        tally.letThrough += 1;
        tally.problems.push(`Let through: ${description}`);
      }),
    );
  }

  // Without this check, a wrong address would make every attack look refused.
  const { access_token: token, refresh_token } = await target.signIn("admin");
  for (const route of protectedRoutes) {
    const status = await call(route, bearer(token));
    if (status !== 200 && status !== 204)
      tally.problems.push(`${route.path} answers ${status} to the admin's own token.`);
  }

  for (const [name, forged] of await forgeTokens(target, token, seed)) await attack(name, bearer(forged));
  await attack("a refresh token as bearer", bearer(refresh_token));
  for (const [name, headers] of keyTricks(token)) await attack(name, headers);

  const ended = (await target.signIn("admin")).access_token;
  await fetch(`${url}/auth/v1/logout?scope=local`, { method: "POST", headers: bearer(ended) });
  await attack("the token of a session that has ended", bearer(ended));
  return tally;
}

const bearer = (token: string): Headers => ({
  apikey: defaultPublicKey,
  authorization: `Bearer ${token}`,
  "content-type": "application/json",
});

function keyTricks(token: string): [string, Headers][] {
  const json = { "content-type": "application/json" };
  const withKey = (apikey: string): Headers => ({ ...json, apikey, authorization: `Bearer ${apikey}` });
  return [
    ["no key", { ...json }],
    ["a secret key", withKey("sb_secret_embedded")],
    ["the name of a role as key", withKey("service_role")],
    ["a token as key", withKey(token)],
    ["a service token as key", withKey(unsigned({ alg: "none" }, { role: "service_role", iss: "supabase" }))],
    ["the key twice", { ...withKey(`${defaultPublicKey}, ${defaultPublicKey}`) }],
    ["a token without key", { ...json, authorization: `Bearer ${token}` }],
    ["the key alone", withKey(defaultPublicKey)],
    ["a token as password", { ...json, apikey: defaultPublicKey, authorization: `Basic ${btoa(`admin:${token}`)}` }],
    ["a token in a cookie", { ...json, apikey: defaultPublicKey, cookie: `sb-access-token=${token}` }],
  ];
}

/** Tokens that differ from a valid one in one respect. Those with wrong claims are signed with the server's own key. */
async function forgeTokens({ database }: Target, valid: string, seed: number): Promise<[string, string][]> {
  const [head = "", body = "", signature = ""] = valid.split(".");
  const header = decode(head);
  const claims = decode(body) as JWTPayload & Record<string, unknown>;
  const { rows } = await database.query<{ private_jwk: JWK }>("select private_jwk from auth.signing_keys limit 1");
  const jwk = rows[0]?.private_jwk ?? {};
  const own = (await importJWK(jwk, algorithm)) as CryptoKey;
  const publicJwk = { kty: jwk.kty, crv: jwk.crv, x: jwk.x, y: jwk.y };
  const other = await generateKeyPair(algorithm, { extractable: true });
  const otherJwk = await exportJWK(other.publicKey);
  const now = Math.floor(Date.now() / 1000);

  const signed = (changed: Record<string, unknown>, key = own, headers = {}) =>
    new SignJWT(withoutUndefined({ ...claims, ...changed }))
      .setProtectedHeader({ alg: algorithm, typ: "JWT", kid: jwk.kid, ...headers })
      .sign(key);
  const hmac = (secret: string | Buffer, alg = "HS256") => {
    const input = `${encode({ ...header, alg })}.${body}`;
    return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
  };
  const der = signBytes("sha256", Buffer.from(`${head}.${body}`), {
    key: createPrivateKey({ key: jwk, format: "jwk" }),
    dsaEncoding: "der",
  });
  const kids = ["", "unknown", "../../../../dev/null", "' or '1'='1", "__proto__", "a\0b", `${jwk.kid}\0`];
  const member = await database.query("select id from auth.users where email like 'member@%'");

  const wrongClaims: [string, Record<string, unknown>][] = [
    ["another issuer", { iss: "https://attack.example/auth/v1" }],
    ["no issuer", { iss: undefined }],
    ["another audience", { aud: "admin" }],
    ["no audience", { aud: undefined }],
    ["an expiry that has passed", { exp: now - 60, iat: now - 4000 }],
    ["no expiry", { exp: undefined }],
    ["an expiry that is a text", { exp: "9999999999" }],
    ["a beginning that has not come", { nbf: now + 3600 }],
    ["an issue in the future", { iat: now + 3600, exp: now + 7200 }],
    ["no time of issue", { iat: undefined }],
    ...["service_role", "postgres", "admin", "anon", "authenticator", "", null, ["authenticated"], undefined].map(
      (role): [string, Record<string, unknown>] => [`role ${JSON.stringify(role)}`, { role }],
    ),
    ["the account of somebody else", { sub: member.rows[0]?.id }],
    ["an account that does not exist", { sub: randomUUID() }],
    ["no account", { sub: undefined }],
    ["SQL as account", { sub: "' or '1'='1" }],
    ["a session that does not exist", { session_id: randomUUID() }],
    ["no session", { session_id: undefined }],
    ["SQL as session", { session_id: "' or '1'='1" }],
  ];

  return [
    ["alg none", unsigned({ alg: "none" }, claims)],
    ["alg None and a signature", `${encode({ ...header, alg: "None" })}.${body}.${signature}`],
    ["no alg", `${encode({ kid: jwk.kid })}.${body}.${signature}`],
    ["HS256 with the public key as JSON", hmac(JSON.stringify(publicJwk))],
    ["HS256 with the public key's x", hmac(Buffer.from(`${jwk.x}`, "base64url"))],
    ["HS256 with the API key", hmac(defaultPublicKey)],
    ["HS256 with an empty secret", hmac("")],
    ["ES384 over the same key", hmac("x", "ES384")],
    ["another server's key", await signed({}, other.privateKey)],
    [
      "another server's key and its id",
      await signed({}, other.privateKey, { kid: await calculateJwkThumbprint(otherJwk) }),
    ],
    ["a key in the header", await signed({}, other.privateKey, { jwk: otherJwk })],
    ["a key at an address", await signed({}, other.privateKey, { jku: "http://127.0.0.1:1/jwks.json" })],
    ["a certificate in the header", await signed({}, other.privateKey, { x5c: ["MIIB"], x5u: "http://127.0.0.1:1/" })],
    ["an unknown critical header", `${encode({ ...header, crit: ["x"], x: 1 })}.${body}.${signature}`],
    ...kids.map((kid): [string, string] => [
      `key id ${JSON.stringify(kid)}`,
      `${encode({ ...header, kid })}.${body}.${signature}`,
    ]),
    ...(await Promise.all(
      wrongClaims.map(async ([name, changed]): Promise<[string, string]> => [name, await signed(changed)]),
    )),
    ["a changed claim", `${head}.${encode({ ...claims, email: "other@seeded.example" })}.${signature}`],
    ["no signature", `${head}.${body}.`],
    ["half a signature", `${head}.${body}.${signature.slice(0, 43)}`],
    ["a longer signature", `${valid}AAAA`],
    ["a signature of zeros", `${head}.${body}.${Buffer.alloc(64).toString("base64url")}`],
    ["a signature as DER", `${head}.${body}.${der.toString("base64url")}`],
    ["a fourth part", `${valid}.${signature}`],
    ["two parts", `${head}.${body}`],
    ["a part that is empty", `.${body}.${signature}`],
    ["a JWE", `${encode({ alg: "dir", enc: "A256GCM" })}..AAAA.AAAA.AAAA`],
    ["claims that are not JSON", `${head}.${Buffer.from("x").toString("base64url")}.${signature}`],
    ["white space in the token", `${head}. ${body}.${signature}`],
    ["a token of 12 KB", `${head}.${body}${"A".repeat(12_000)}.${signature}`],
    ...Array.from({ length: changedPlaces }, (_, place): [string, string] => [
      "one changed character",
      // The last character stays, because some of its bits mean nothing.
      withOtherCharacter(valid, (seed + place * 37) % (valid.length - 1)),
    ]),
  ];
}

function withOtherCharacter(token: string, at: number): string {
  const letter = token[at] === "." ? "_" : token[at] === "A" ? "B" : "A";
  return token.slice(0, at) + letter + token.slice(at + 1);
}

function unsigned(header: object, claims: object): string {
  return `${encode(header)}.${encode(claims)}.`;
}

function encode(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function decode(part: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(part, "base64url").toString());
}

function withoutUndefined(claims: Record<string, unknown>): JWTPayload {
  return JSON.parse(JSON.stringify(claims));
}
