import type { Pool } from "pg";
import type { FloodLimits } from "#server/http/flood-limits";
import type { SecretKeys } from "#server/secret-keys";
import type { PasswordHasher } from "./passwords/password-hasher.ts";
import type { SessionLimits } from "./sessions/sessions.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";

/** The settings and services that all endpoints share; `app.ts` provides them. */
export interface AuthContext extends SessionLimits {
  /** Connects as the owner of schema `auth`. Callers of the data API cannot reach that schema. */
  owner: Pool;
  keys: SigningKeys;
  /** Encrypts the secrets of second factors. */
  secretKeys: SecretKeys;
  /** The API key that every browser sends. This server has no secret API key. */
  publicKey: string;
  /** The URL of the site, without a slash at the end. */
  siteUrl: string;
  /** A mailed link may redirect to the site's own pages and to URLs that match one of these globs. */
  redirectUrls: readonly string[];
  /** Who may create an account: every visitor, only people whom the operator invited, or only the operator. */
  signUps: "open" | "invited" | "closed";
  /** Whether a new account counts as confirmed without a mail. Used in development and tests. */
  autoconfirm: boolean;
  /** How many characters a new password must have at least. */
  passwordCharactersMin: number;
  /**
   * Whether requests, attempts and mails are limited. Tests that sign up a hundred people in a minute turn the limits off.
   * The attempts at one mailed code and the minute between two mails stay limited: no test needs more.
   */
  limitsAreOn: boolean;
  /** Limits how many connections of `owner` one network uses at once. */
  floodLimits: Pick<FloodLimits, "withConnection">;
  /** How many mails of sign-ups, and how many recovery mails, the whole site may send in an hour. */
  accountMailsPerHour: number;
  /** How many days an entry of the audit log is kept. */
  auditDays: number;
  /** Hashes passwords and mailed codes. */
  hasher: PasswordHasher;
  now: () => Date;
}
