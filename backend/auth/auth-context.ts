import type { FastifyReply, FastifyRequest } from "fastify";
import type { Pool } from "pg";
import type { FloodLimits } from "#backend/limits/flood-limits";
import type { SecretKeys } from "#backend/secret-keys";
import type { QueueMail } from "./account-mail/queued-mail.ts";
import type { PasswordHasher } from "./passwords/password-hasher.ts";
import type { SessionLimits } from "./sessions/session-store.ts";
import type { SigningKeys } from "./tokens/signing-keys.ts";

/** The settings and services that all endpoints share; `app.ts` provides them. */
export interface AuthContext extends SessionLimits {
  /** Connects as the owner of schema `auth`, which callers of the data API cannot reach. */
  owner: Pool;
  keys: SigningKeys;
  secretKeys: SecretKeys;
  /** The API key of every browser. This server has no secret API key. */
  publicKey: string;
  /** The URL of the site, without a slash at the end. */
  siteUrl: string;
  /** A mailed link may redirect to the site's own pages and to URLs that match one of these globs. */
  redirectUrls: readonly string[];
  /** Who may create an account: every visitor, only people whom the operator invited, or only the operator. */
  signUps: "open" | "invited" | "closed";
  /** Whether a new account counts as confirmed without a mail. Used in development and tests. */
  autoconfirm: boolean;
  passwordCharactersMin: number;
  /**
   * Off in tests that sign up a hundred people in a minute. The attempts at one mailed code and the minute between two
   * mails stay limited.
   */
  limitsAreOn: boolean;
  /** Limits the requests of one network, and how many of them are at work at once. */
  floodLimits: FloodLimits;
  /** How many mails of sign-ups, and how many recovery mails, the whole site may send in an hour. */
  accountMailsPerHour: number;
  auditDays: number;
  queueMail: QueueMail;
  hasher: PasswordHasher;
  /** The clock of access tokens and of the codes of apps. What is compared with stored times, PostgreSQL compares. */
  now: () => Date;
}

/** Answers a request within the network's share of the connections (docs/protocol.md#limits-against-floods). */
export type Answer = (request: FastifyRequest, context: AuthContext, reply: FastifyReply) => Promise<unknown>;

/** By method and path, such as "POST /token". */
export type Endpoints = Readonly<Record<string, Answer>>;
