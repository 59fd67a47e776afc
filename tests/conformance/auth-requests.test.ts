import { createClient } from "@supabase/supabase-js";
import { afterEach, expect, test } from "vitest";
import { memoryStorage, publicKey, startAuth } from "#tests/support/auth-server";
import { rowsOf } from "#tests/support/text-table";

// What the auth API refuses: a row is a request and its answer, status, code and message (docs/protocol.md#auth-api).

const server = await startAuth();
const member = await server.member();
const { data: enrolled } = await member.client.auth.mfa.enroll({ factorType: "totp" });
const [factor, challenge] = [enrolled?.id ?? "", crypto.randomUUID()];
const authorizations: Record<string, string> = { member: member.session.access_token, nobody: "", visitor: publicKey };
const invalidAddress = "400 validation_failed Unable to validate email address: invalid format";

afterEach(() => expect(server.failures).toEqual([]));

for (const [who = "", request = "", ...cells] of rowsOf(`
  visitor    POST /signup     {"email": "", "password": "correct horse"}                   422 anonymous_provider_disabled Anonymous sign-ins are disabled
  visitor    POST /signup     {"email": "a@example.com", "password": ""}                   400 validation_failed Signup requires a valid password
  visitor    POST /signup     {"email": "a@example.com", "password": "${"ä".repeat(37)}"}    400 validation_failed Password cannot be longer than 72 characters
  visitor    POST /signup     {"email": "a@example.com", "password": "QWERTYUIOP"}         422 weak_password
  visitor    POST /signup     {"email": "not an address", "password": "1234567"}           422 weak_password Password should be at least 8 characters.
  visitor    POST /signup     {"email": "not an address", "password": "correct horse"}     ${invalidAddress}
  visitor    POST /signup     {"email": "a", "password": "123456789"}                      ${invalidAddress}
  visitor    POST /signup     {"email": "=?utf-8?q?x?=@a.b", "password": "correct horse"}  ${invalidAddress}
  visitor    POST /signup     {"email": "${"a".repeat(250)}@example.com", "password": "correct horse"}    400 validation_failed An email address is too long
  visitor    POST /signup     {"email": "a@example.com", "password": "correct horse", "data": {"note": "${"x".repeat(4096)}"}}    400 validation_failed
  visitor    POST /recover    {}                                                           400 validation_failed Password recovery requires an email
  visitor    POST /recover    {"email": "nonsense"}                                        ${invalidAddress}
  visitor    POST /resend     {"email": "a@example.com", "type": "sms"}                    400 validation_failed Missing one of these types: signup, email_change
  visitor    POST /resend     {"type": "signup"}                                           400 validation_failed Type provided requires an email address
  visitor    POST /resend     {"type": "signup", "email": "nonsense"}                      ${invalidAddress}
  visitor    POST /verify     {"token_hash": "x"}                                          400 validation_failed Verify requires a verification type
  visitor    POST /verify     {"type": "signup"}                                           400 validation_failed Verify requires either a token or a token hash
  visitor    POST /verify     {"type": "signup", "token_hash": "x", "token": "x"}          400 validation_failed Verify requires either a token or a token hash
  visitor    POST /verify     {"type": "signup", "token_hash": "x", "email": "a@example.com"}    400 validation_failed Only the token_hash and type should be provided
  visitor    POST /verify     {"type": "signup", "token_hash": "x", "redirect_to": "/"}    400 validation_failed Only the token_hash and type should be provided
  visitor    GET /verify                                                                   400 validation_failed
  visitor    GET /verify?type=signup                                                       400 validation_failed
  visitor    GET /verify?token=x                                                           400 validation_failed
  visitor    POST /token?grant_type=password    {"password": "x"}                          400 validation_failed missing email or phone
  visitor    POST /token?grant_type=magic       {}                                         400 invalid_credentials unsupported_grant_type
  visitor    POST /token?grant_type=            {}                                         400 invalid_credentials unsupported_grant_type
  visitor    POST /token?grant_type=a&grant_type=b    {}                                   400 invalid_credentials unsupported_grant_type
  visitor    POST /token?grant_type=refresh_token     {}                                   400 validation_failed Refresh token is not valid
  visitor    POST /token?grant_type=refresh_token     {"refresh_token": "x"}               400 validation_failed Refresh token is not valid
  visitor    POST /token?grant_type=refresh_token     {"refresh_token": "${"x".repeat(43)}"}    400 refresh_token_not_found Invalid Refresh Token: Refresh Token Not Found
  visitor    GET /nothing                                                                  404 not_found

  visitor    GET /user                                                                     403 bad_jwt invalid claim: missing sub claim
  nobody     GET /user                                                                     401 no_authorization This endpoint requires a valid Bearer token
  a.b.c      GET /user                                                                     403 bad_jwt invalid JWT: unable to parse or verify signature, token is malformed
  visitor    PUT /user        {"password": "a long walk in the woods"}                     403 bad_jwt
  member     PUT /user        {"app_metadata": {"role": "boss"}}                           403 not_admin
  member     PUT /user        {"email": "nonsense"}                                        ${invalidAddress}
  member     PUT /user        {"phone": "123"}                                             422 feature_disabled
  member     PUT /user        {"password": 5}                                              400 bad_json
  member     PUT /user        {"password": ""}                                             400 validation_failed
  member     PUT /user        {"data": {"note": "${"x".repeat(4096)}"}}                    400 validation_failed
  member     PUT /user        []                                                           400 bad_json
  member     PUT /user                                                                     400 bad_json
  member     POST /logout?scope=x                                                          400 validation_failed Unsupported logout scope "x"

  nobody     POST /factors                               {                                 401 no_authorization
  visitor    POST /factors                               {                                 403 bad_jwt
  nobody     POST /factors/1/challenge                   {                                 401 no_authorization
  nobody     POST /factors/1/verify                      {                                 401 no_authorization
  nobody     DELETE /factors/1                           {                                 401 no_authorization
  nobody     GET /factors/recovery-codes                                                   401 no_authorization
  nobody     POST /factors/recovery-codes                {                                 401 no_authorization
  nobody     POST /factors/recovery-codes/regenerate     {                                 401 no_authorization
  nobody     DELETE /factors/recovery-codes              {                                 401 no_authorization
  nobody     POST /factors/recovery-codes/verify         {                                 401 no_authorization
  visitor    POST /factors/recovery-codes/verify         {                                 403 bad_jwt
  member     POST /factors    {"factor_type": "phone"}                                     400 validation_failed factor_type needs to be totp
  member     POST /factors    {}                                                           400 validation_failed factor_type needs to be totp
  member     POST /factors    {"factor_type": "totp", "friendly_name": "${"x".repeat(101)}"}    400 validation_failed
  member     DELETE /factors/1                                                             404 validation_failed factor_id must be an UUID
  member     POST /factors/1/challenge                                                     404 validation_failed factor_id must be an UUID
  member     POST /factors/%00/verify                                                      404 validation_failed factor_id must be an UUID
  member     POST /factors/${factor}/verify    {"challenge_id": "${challenge}"}            400 validation_failed Code needs to be non-empty
  member     POST /factors/${factor}/verify    {"code": 123456, "challenge_id": "${challenge}"}    400 bad_json
  member     POST /factors/${factor}/verify    []                                          400 bad_json
  member     POST /factors/${factor}/verify    {                                           400 bad_json`)) {
  const [body, expected = ""] = cells.length > 1 ? cells : [undefined, ...cells];
  test(`${who}: ${request} ${(body ?? "").slice(0, 80)} gets ${expected}`, async () => {
    const [method = "", path = ""] = request.split(" ");
    const answer = await server.call(`/auth/v1${path}`, {
      method,
      token: authorizations[who] ?? who,
      ...(body !== undefined && { body }),
    });
    const [, status, code, message] = /^(\d+) (\S+)(?: (.+))?$/.exec(expected) ?? [];
    expect([answer.status, await answer.json()]).toMatchObject([
      Number(status),
      { code, message: message ?? expect.any(String) },
    ]);
    expect(answer.headers.get("x-sb-error-code")).toBe(code);
    expect(answer.headers.get("access-control-allow-origin")).toBe("*");
    expect(answer.headers.get("access-control-expose-headers")).toContain("X-Supabase-Api-Version");
  });
}

/** Calls of Supabase's client that this server does not offer: `visitor` and `member` are clients, `pkce` asks for its flow. */
test.each(
  rowsOf(`
  visitor.signInAnonymously()                                                422 anonymous_provider_disabled Anonymous sign-ins are disabled
  visitor.signInWithOtp({ email: "ada@example.com" })                        422 email_provider_disabled Logins without a password are disabled
  visitor.signInWithOtp({ phone: "+15555550123" })                           422 email_provider_disabled Logins without a password are disabled
  visitor.signUp({ phone: "+15555550123", password: "correct horse" })       400 phone_provider_disabled Phone logins are disabled
  visitor.signInWithPassword({ phone: "+15555550123", password: "x" })       400 phone_provider_disabled Phone logins are disabled
  visitor.resend({ phone: "+15555550123", type: "sms" })                     400 phone_provider_disabled Phone logins are disabled
  visitor.verifyOtp({ phone: "+15555550123", token: "123456", type: "sms" })    403 otp_expired Token has expired or is invalid
  visitor.signInWithIdToken({ provider: "google", token: "x" })              400 provider_disabled Logins with other providers are disabled
  visitor.signInWithWeb3({ chain: "ethereum", message: "m", signature: "0x00" })    400 provider_disabled Logins with other providers are disabled
  visitor.signInWithSSO({ domain: "example.com" })                           404 saml_provider_disabled SAML 2.0 is disabled
  visitor.admin.listUsers()                                                  404 not_found There is nothing at this address
  member.passkey.list()                                                      404 passkey_disabled Passkeys are disabled
  member.oauth.listGrants()                                                  404 feature_disabled OAuth server is disabled
  member.reauthenticate()                                                    422 feature_disabled This server does not offer reauthentication. To change a password, send the current one with it.
  member.linkIdentity({ provider: "github" })                                404 manual_linking_disabled Manual linking is disabled
  member.getUserIdentities().then(({ data }) => member.unlinkIdentity(data.identities[0]))    404 manual_linking_disabled Manual linking is disabled
  pkce.signUp({ email: "pkce@example.com", password: "correct horse" })      422 feature_disabled ${'This server does not offer the PKCE flow. Create the client with flowType "implicit".'}
  pkce.resetPasswordForEmail("pkce@example.com")                             422 feature_disabled
  pkce.resend({ type: "signup", email: "pkce@example.com" })                 422 feature_disabled
  pkce.updateUser({ email: "pkce@example.com" })                             422 feature_disabled
  pkce.exchangeCodeForSession("code")                                        422 feature_disabled`),
)("%s gets %s", async (call = "", expected = "") => {
  const [pkce, passkeys] = [pkceClient(), createClient(server.url, publicKey, memory({ passkey: true }))];
  for (const client of [pkce, passkeys]) await client.auth.setSession(member.session);
  const run = new Function("visitor", "member", "pkce", `return ${call}`);
  const { error } = await run(server.client().auth, passkeys.auth, pkce.auth);
  const [, status, code, message] = /^(\d+) (\S+)(?: (.+))?$/.exec(expected) ?? [];
  expect(error).toMatchObject({ status: Number(status), code, message: message ?? expect.any(String) });
  expect(await server.mailsTo("pkce@example.com")).toEqual([]);
});

test("the PKCE flow does not disturb a sign-up that needs no link", async () => {
  const autoconfirming = await startAuth({ autoconfirm: true });
  const email = "ada@example.com";
  const { data, error } = await pkceClient(autoconfirming).auth.signUp({ email, password: "correct horse" });
  expect([error, data.session?.user.email]).toEqual([null, email]);
});

test("signInWithOAuth leads to an address that says, without a key, that the provider is not enabled", async () => {
  const { data } = await server.client().auth.signInWithOAuth({ provider: "github" });
  const answer = await fetch(data.url ?? "");
  expect([answer.status, (await answer.json()).message]).toEqual([400, "Logins with other providers are disabled"]);
});

/** A client that asks for the PKCE flow, and keeps the verifier of a code that it has asked for. */
function pkceClient({ url } = server) {
  const options = memory({});
  options.auth.storage.setItem(`${options.auth.storageKey}-code-verifier`, JSON.stringify("verifier"));
  return createClient(url, publicKey, { auth: { ...options.auth, flowType: "pkce" } });
}

/** The options of a client that keeps its session in memory. */
const memory = (experimental: { passkey?: boolean }) => ({
  auth: { storage: memoryStorage(), storageKey: crypto.randomUUID(), autoRefreshToken: false, experimental },
});
