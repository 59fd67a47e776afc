import type { AuthError, Session, User } from "@supabase/auth-js";
import type { BackendClient } from "./backend-client";
import { isHosted } from "./client";
import { dataRequest, formRequest, renewSession } from "./request";
import { authFailure, type Failure, type Result } from "./result";

/** An authenticator app whose set-up is done. */
export interface Factor {
  id: string;
  name: string;
  /** A time in the format of RFC 3339. */
  createdAt: string;
}

/** Returns the confirmed authenticator apps of an account, the oldest first (docs/protocol.md#second-factor). */
export function appsOf({ factors = [] }: Pick<User, "factors">): Factor[] {
  return factors
    .filter(({ factor_type: type, status }) => type === "totp" && status === "verified")
    .map(({ id, friendly_name: name = "", created_at: createdAt }) => ({ id, name, createdAt }))
    .sort((one, other) => Date.parse(one.createdAt) - Date.parse(other.createdAt));
}

/** What an authenticator app needs to show codes: as a picture, as text, and as a link that opens the app. */
export interface Enrollment {
  id: string;
  /** An SVG picture as a `data:` address. */
  qrCode: string;
  secret: string;
  uri: string;
}

/** What must be done before contacts can be read: use the second factor, or set one up. */
export type SecondFactorStep = "none" | "verify" | "set_up";

/** Tells without a request whether this session still has to use the second factor of its account. */
export function secondFactorOf(session: Session | null): "none" | "verify" {
  const hasFactor = session?.user.factors?.some(({ status }) => status === "verified");
  return hasFactor && levelOf(session?.access_token) !== "aal2" ? "verify" : "none";
}

/** Asks the database, which also knows whether administrators must have one. */
export function secondFactorStep(): Promise<Result<SecondFactorStep>> {
  return dataRequest((client) => client.rpc("second_factor_step"));
}

/** Begins to set up an authenticator app. `issuer` is the name under which the app shows the account. */
export function enrollFactor(name: string, issuer: string): Promise<Result<Enrollment>> {
  return formRequest(async (client) => {
    const { data, error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName: name, issuer });
    if (error) return failure(client, error);
    const { qr_code: qrCode, secret, uri } = data.totp;
    return { ok: true, value: { id: data.id, qrCode, secret, uri } };
  });
}

/** Uses the second factor, or ends its set-up: the session becomes `aal2`, and those without the factor end. */
export function verifyCode(factorId: string, code: string): Promise<Result<Session>> {
  return formRequest(async (client) => {
    const { data, error } = await client.auth.mfa.challengeAndVerify({ factorId, code });
    return error ? failure(client, error) : { ok: true, value: data };
  });
}

/** Removes a factor. The session is renewed, because its user has the factors, and its level may have changed. */
export function removeFactor(factorId: string): Promise<Result<null>> {
  return formRequest(async (client) => {
    const { error } = await client.auth.mfa.unenroll({ factorId });
    if (error) return failure(client, error);
    await client.auth.refreshSession();
    return { ok: true, value: null };
  });
}

/** Makes ten new recovery codes; the old ones end. The value is undefined on a hosted project, which has none. */
export async function makeRecoveryCodes(): Promise<Result<string[] | undefined>> {
  if (isHosted()) return { ok: true, value: undefined };
  return formRequest(async (client) => {
    const { recoveryCodes } = client.auth.mfa;
    let { data, error } = await recoveryCodes.generate();
    if (error?.code === "mfa_verified_factor_exists") ({ data, error } = await recoveryCodes.regenerate());
    if (error) return failure(client, error);
    return { ok: true, value: data?.codes.map(inGroups) };
  });
}

/** Whether so few recovery codes are left that a person should make new ones. */
export const areFewCodes = (left: number) => left <= 3;

/** How many recovery codes are left. The value is undefined on a hosted project. */
export async function countRecoveryCodes(): Promise<Result<number | undefined>> {
  if (isHosted()) return { ok: true, value: undefined };
  return formRequest(async (client) => {
    const { data, error } = await client.auth.mfa.recoveryCodes.getStatus();
    if (error?.code === "mfa_factor_not_found") return { ok: true, value: 0 };
    if (error) return failure(client, error);
    return { ok: true, value: data.remaining };
  });
}

/** Uses up a recovery code in place of the second factor. On a hosted project this fails. */
export function useRecoveryCode(code: string): Promise<Result<Session>> {
  return formRequest(async (client) => {
    const { data, error } = await client.auth.mfa.recoveryCodes.verify({ code });
    return error ? failure(client, error) : { ok: true, value: data };
  });
}

/** Four groups of four are easier to copy by hand. The server ignores the dashes and the case. */
function inGroups(code: string): string {
  return code.toUpperCase().replace(/.{4}(?=.)/g, "$&-");
}

/**
 * Takes over what the refusal says about the session: it has ended, or its level is lower than the stored token says,
 * because a factor was removed on another device. A token whose signing key was replaced at once is renewed, or its
 * session ends.
 */
async function failure(client: BackendClient, error: AuthError): Promise<Failure> {
  if (error.name === "AuthSessionMissingError") await client.auth.signOut({ scope: "local" });
  if (error.code === "insufficient_aal" || error.code === "bad_jwt") await renewSession(client);
  return authFailure(error);
}

/** The level that an access token claims. The servers check the token; this only chooses what the page shows. */
function levelOf(token = ""): unknown {
  try {
    const payload = token.split(".")[1] ?? "";
    return JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))).aal;
  } catch {
    return undefined;
  }
}
