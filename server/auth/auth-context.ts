import type { Pool } from "pg";
import type { PasswordHasher } from "./passwords/password-hasher.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";

/** What the account's owner should read; who turns it into an e-mail is not known here. */
export interface AccountMail {
  kind: "confirm-address" | "already-registered" | "recover" | "invite" | "password-changed" | "new-device";
  to: string;
  /** Where the mail's one button leads. */
  link: string;
  /** Six digits that can be typed instead of following the link. */
  code?: string;
  /** What it tells of, each with its name. */
  facts?: readonly (readonly [name: string, value: string])[] | undefined;
}

/** What the endpoints work with; `app.ts` hands it in. */
export interface AuthContext {
  /** Connects as the owner of schema `auth`, which no caller of the data API can reach. */
  owner: Pool;
  keys: SigningKeys;
  /** The one key that a browser may know. No secret one exists. */
  publicKey: string;
  /** Without a slash at the end. */
  siteUrl: string;
  /** Globs of the addresses beside the site's own where a mailed link may end. */
  redirectUrls: readonly string[];
  /** Who may make an account: anybody, whom an operator invites, or whom an operator makes one for. */
  signUps: "open" | "invited" | "closed";
  /** Whether a sign-up is confirmed without a mail. For development and tests. */
  autoconfirm: boolean;
  /** How long a new password must be. */
  passwordCharactersMin: number;
  /** Whether requests and password tries are counted. Off where a hundred people sign up in a minute: in tests. */
  limits: boolean;
  /** How many account mails may be asked for within an hour, by everybody together. */
  mailsPerHourMax: number;
  /** How long the audit log is kept. */
  auditDays: number;
  /** When sessions end by themselves, see `SessionLimits`. */
  sessionIdleDays: number;
  sessionMaxDays: number;
  /** Hashes passwords and mailed codes. */
  hasher: PasswordHasher;
  now: () => Date;
}
