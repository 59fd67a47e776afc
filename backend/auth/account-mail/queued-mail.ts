import type { ClientBase } from "pg";
import type { User } from "../users.ts";

/** A mail with a link and a code. The account stores when the latest one was requested. */
export interface MailWithToken {
  purpose: "confirmation" | "recovery" | "email_change_current" | "email_change_new";
  sentAt: "confirmation_sent_at" | "recovery_sent_at" | "email_change_sent_at";
}

export const mailsWithToken = {
  "confirm-address": { purpose: "confirmation", sentAt: "confirmation_sent_at" },
  invite: { purpose: "confirmation", sentAt: "confirmation_sent_at" },
  recover: { purpose: "recovery", sentAt: "recovery_sent_at" },
  "choose-password": { purpose: "recovery", sentAt: "recovery_sent_at" },
  "change-email": { purpose: "email_change_current", sentAt: "email_change_sent_at" },
  "change-email-new": { purpose: "email_change_new", sentAt: "email_change_sent_at" },
} as const satisfies Record<string, MailWithToken>;

/** A mail that tells an owner what happened, in case an intruder did it. It has no token. */
export const notices = [
  "already-registered",
  "password-changed",
  "email-changed",
  "contacts-granted",
  "second-factor-added",
  "second-factor-removed",
  "recovery-code-used",
] as const;
export type NoticeKind = (typeof notices)[number];

export function isNotice(kind: QueuedMail["kind"]): kind is NoticeKind {
  return (notices as readonly string[]).includes(kind);
}

/** The mails to the two addresses of a change. */
export const mailsOfChange = ["change-email", "change-email-new"] as const;

/** A requested mail. It is stored in the database until it is sent, so it must hold no secret. */
export interface QueuedMail {
  kind: keyof typeof mailsWithToken | NoticeKind;
  /** The address of the account. */
  email: string;
  /** The page to open after the mailed link was used, if it has a token. */
  redirectTo?: string | undefined;
  /** Details of the event that the mail reports, as pairs of name and value. */
  facts?: readonly (readonly [name: string, value: string])[] | undefined;
  /** Whether the mail still has to pass the limits of mails, see `admitRequestedMail`. */
  isLimited?: boolean | undefined;
}

/** A mail with the time of its request, by PostgreSQL's clock. */
export type RequestedMail = QueuedMail & { requestedAt: Date };

/**
 * Queues a mail in the transaction of the request, even for an address without an account. Whether it is sent is decided
 * later, so a slow mail server delays no answer, and no answer reveals an account. What starts the auth API provides it.
 */
export type QueueMail = (db: ClientBase, mail: QueuedMail) => Promise<void>;

/**
 * Only the latest request gets a mail: a delayed mail of an earlier one would end the latest code.
 */
export function isDue(user: User, { purpose, sentAt }: MailWithToken, requestedAt: Date): boolean {
  const latest = user[sentAt];
  if (latest && latest > requestedAt) return false;
  if (purpose === "recovery") return true;
  return purpose === "confirmation" ? !user.email_confirmed_at : user.email_change !== null;
}
