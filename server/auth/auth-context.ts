import type { Pool } from "pg";
import type { PasswordHasher } from "./passwords/password-hasher.ts";
import type { SessionLimits } from "./sessions/session-expiry.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";

/** What the endpoints work with; `app.ts` passes it in. */
export interface AuthContext extends SessionLimits {
  /** Connects as the owner of schema `auth`, which no caller of the data API can reach. */
  owner: Pool;
  keys: SigningKeys;
  /** The one key of the browser. No secret key exists. */
  publicKey: string;
  /** Without a slash at the end. */
  siteUrl: string;
  /** Globs of the addresses beside the site's own where a mailed link may end. */
  redirectUrls: readonly string[];
  /** Who may make an account: every visitor, invited people, or only an operator. */
  signUps: "open" | "invited" | "closed";
  /** Confirms a sign-up without a mail. For development and tests. */
  autoconfirm: boolean;
  /** How long a new password must be. */
  passwordCharactersMin: number;
  /** Counts requests, password and code attempts. Off in tests that sign up a hundred people in a minute. */
  limits: boolean;
  /** How many account mails the whole site accepts per hour. */
  mailsPerHourMax: number;
  /** How long the audit log is stored. */
  auditDays: number;
  /** Hashes passwords and mailed codes. */
  hasher: PasswordHasher;
  now: () => Date;
}
