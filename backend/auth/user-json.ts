import { refusals } from "./refusals.ts";
import type { User, UserFactor } from "./users.ts";

/** Every access token contains this data in a request header, and Node.js limits the headers of a request to 16 KiB. */
const metadataBytesMax = 4096;

export function requireShortMetadata(metadata: Record<string, unknown>) {
  if (Buffer.byteLength(JSON.stringify(metadata)) > metadataBytesMax) throw refusals.longMetadata(metadataBytesMax);
}

/** The account in the client's form (docs/protocol.md#user-object). JSON leaves out what is undefined. */
export function userJson(user: User) {
  const confirmedAt = user.email_confirmed_at ?? undefined;
  return {
    id: user.id,
    aud: user.aud,
    role: user.role,
    email: user.email,
    email_confirmed_at: confirmedAt,
    invited_at: user.invited_at ?? undefined,
    phone: "",
    confirmation_sent_at: user.confirmation_sent_at ?? undefined,
    confirmed_at: confirmedAt,
    recovery_sent_at: user.recovery_sent_at ?? undefined,
    new_email: user.email_change ?? undefined,
    email_change_sent_at: user.email_change_sent_at ?? undefined,
    last_sign_in_at: user.last_sign_in_at ?? undefined,
    app_metadata: appMetadata(user),
    user_metadata: userMetadata(user),
    factors: user.factors?.map(factorJson),
    identities: [identityJson(user)],
    created_at: user.created_at,
    updated_at: user.updated_at,
    banned_until: user.banned_until ?? undefined,
    is_anonymous: false,
  };
}

/** Adds `has_password: false` to the account's data if a password must be chosen; the pages then ask for one. */
function appMetadata({ raw_app_meta_data: stored, encrypted_password: password }: User) {
  return password === null ? { ...stored, has_password: false } : stored;
}

/**
 * The person's own data, and the server's, which wins: otherwise a person could claim to own another address or to have
 * confirmed it.
 */
export function userMetadata(user: User) {
  return { ...user.raw_user_meta_data, ...identityData(user) };
}

function factorJson({ id, friendly_name, factor_type, status, ...times }: UserFactor) {
  return {
    id,
    created_at: new Date(times.created_at),
    updated_at: new Date(times.updated_at),
    status,
    friendly_name: friendly_name || undefined,
    factor_type,
    phone: "",
  };
}

/** Every account has exactly one identity, its email address. */
function identityJson(user: User) {
  return {
    identity_id: user.id,
    id: user.id,
    user_id: user.id,
    identity_data: identityData(user),
    provider: "email",
    last_sign_in_at: user.last_sign_in_at ?? user.created_at,
    created_at: user.created_at,
    updated_at: user.updated_at,
    email: user.email,
  };
}

function identityData(user: User) {
  return {
    email: user.email,
    email_verified: user.email_confirmed_at !== null,
    phone_verified: false,
    sub: user.id,
  };
}
