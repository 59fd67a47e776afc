import type { Pool } from "pg";
import type { PasswordHasher } from "./passwords/password-hasher.ts";
import type { SessionLimits } from "./sessions/session-expiry.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";

/** The settings and services that all endpoints share; `app.ts` provides them. */
export interface AuthContext extends SessionLimits {
  /** Connects as the owner of schema `auth`. Callers of the data API cannot reach that schema. */
  owner: Pool;
  keys: SigningKeys;
  /** The API key that every browser sends. This server has no secret API key. */
  publicKey: string;
  /** The address of the site, without a slash at the end. */
  siteUrl: string;
  /** Globs of the addresses, in addition to the site's own, where a mailed link may end. */
  redirectUrls: readonly string[];
  /** Who may make an account: every visitor, invited people, or only an operator. */
  signUps: "open" | "invited" | "closed";
  /** Whether a sign-up is confirmed without a mail, for development and tests. */
  autoconfirm: boolean;
  /** How many characters a new password must have at least. */
  passwordCharactersMin: number;
  /**
   * Whether requests, password attempts, code attempts and mails per hour are limited. Tests that sign up a hundred
   * people in a minute turn the limits off.
   */
  limits: boolean;
  /** How many account mails the whole site accepts per hour. */
  mailsPerHourMax: number;
  /** How long the audit log is stored. */
  auditDays: number;
  /** Hashes passwords and mailed codes. */
  hasher: PasswordHasher;
  now: () => Date;
}
