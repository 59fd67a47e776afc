import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import type { Attempt } from "#server/jobs/worker";
import type { AccountMail } from "#server/mail/account-mail";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import {
  type EmailChangePurpose,
  issueToken,
  newOneTimeToken,
  type OneTimeToken,
  type Purpose,
} from "../tokens/one-time-tokens.ts";
import { changeUser, findUserByEmail, lockUserByEmail, type User } from "../users.ts";
import { admitRequestedMail } from "./admit-requested-mail.ts";
import { mailedLink } from "./mailed-link.ts";
import { type QueuedMail, recordConfirmationRequest } from "./queue-account-mail.ts";

/** The settings and services that a mail uses. A background job renders it, so there is no HTTP request. */
type RenderContext = Pick<AuthContext, "owner" | "siteUrl" | "hasher" | "now" | "accountMailsPerHour">;

/**
 * Renders the mail that a job's payload describes, right before it is sent. Returns undefined if the mail is no longer
 * needed, or if its address has no account. Each attempt to send it makes a new token, because only hashes of tokens are
 * stored. A mail that still has to pass the limits is queued again instead.
 */
export async function renderQueuedMail(
  context: RenderContext,
  payload: unknown,
  attempt: Pick<Attempt, "finish">,
): Promise<AccountMail | undefined> {
  const { kind, email, redirect_to, facts, asked_at, limited } = payloadSchema.parse(payload);
  const mail = { kind: kind as QueuedMail["kind"], email, redirectTo: redirect_to, facts, requestedAt: asked_at };
  if (limited) return admitRequestedMail(context, mail, attempt);
  if (isNotice(mail.kind)) return renderNotice(context, mail, notices[mail.kind]);

  const render = mailsWithToken[mail.kind];
  const token = await newOneTimeToken(context.hasher);
  return inTransaction(context.owner, (db) => render({ db, context, mail, token }));
}

/**
 * What an owner is told, in case an intruder did it, and the page that the link opens. The link contains no token. The
 * answer to a sign-up with the address of an account does not reveal the account; only its owner learns of it.
 */
const notices = {
  "already-registered": "/auth",
  "password-changed": "/auth",
  "email-changed": "/auth",
  "contacts-granted": "/admin/contacts",
  "new-device": "/account",
  "second-factor-added": "/account",
  "second-factor-removed": "/account",
  "recovery-code-used": "/account",
} as const satisfies Partial<Record<QueuedMail["kind"], string>>;

function isNotice(kind: QueuedMail["kind"]): kind is keyof typeof notices {
  return Object.hasOwn(notices, kind);
}

async function renderNotice({ owner, siteUrl }: RenderContext, { kind, email, facts }: QueuedMail, page: string) {
  // The former address of an account whose address has changed belongs to no account now.
  if (kind !== "email-changed" && !(await findUserByEmail(repeatable(owner), email))) return undefined;
  return { kind, to: email, link: siteUrl + page, facts };
}

/** What a mail with a link and a code is made of. Both are made before the transaction, see `newOneTimeToken`. */
interface Parts {
  db: ClientBase;
  context: RenderContext;
  mail: QueuedMail & { redirectTo: string };
  token: OneTimeToken;
}

type MailWithToken = (parts: Parts) => Promise<AccountMail | undefined>;

const mailsWithToken: Record<Exclude<QueuedMail["kind"], keyof typeof notices> | "change-email-new", MailWithToken> = {
  "confirm-address": confirmationMail,
  invite: confirmationMail,
  recover: recoveryMail,
  "choose-password": recoveryMail,
  "change-email": (parts) => emailChangeMail(parts, "email_change_current"),
  "change-email-new": (parts) => emailChangeMail(parts, "email_change_new"),
};

const payloadSchema = z.object({
  kind: z.string().refine((kind) => Object.hasOwn(notices, kind) || Object.hasOwn(mailsWithToken, kind)),
  email: z.string(),
  redirect_to: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])).optional(),
  asked_at: z.coerce.date(),
  limited: z.boolean().default(false),
});

/**
 * Only the latest request gets a mail: a delayed mail of an earlier one would end the latest code. Records a request that
 * the account does not know yet.
 */
async function isLatestRequest(sentAt: Date | null, { requestedAt }: QueuedMail, record: () => Promise<unknown>) {
  if (sentAt && sentAt > requestedAt) return false;
  if (!sentAt || sentAt < requestedAt) await record();
  return true;
}

/**
 * Confirms the address. An invited person always gets an invitation, even if a sign-up or a resend requested the mail.
 */
async function confirmationMail(parts: Parts) {
  const { db, mail } = parts;
  const user = await lockUserByEmail(db, mail.email);
  if (!user || user.email_confirmed_at) return undefined;
  const record = () => recordConfirmationRequest(db, user, mail.requestedAt);
  if (!(await isLatestRequest(user.confirmation_sent_at, mail, record))) return undefined;

  const purpose = user.invited_at ? "invite" : "confirmation";
  const kind = purpose === "invite" ? "invite" : "confirm-address";
  return { kind, to: user.email, ...(await issueLinkAndCode(parts, user, purpose)) } as const;
}

/**
 * Signs the owner in without the password. The mail says who asked for it: a person at the login, or the operator who
 * removed the password.
 */
async function recoveryMail(parts: Parts) {
  const { db, mail } = parts;
  const user = await lockUserByEmail(db, mail.email);
  if (!user) return undefined;
  const record = () => recordRecoveryRequest(db, user, mail.requestedAt);
  if (!(await isLatestRequest(user.recovery_sent_at, mail, record))) return undefined;

  const kind = mail.kind === "choose-password" ? mail.kind : "recover";
  return { kind, to: user.email, ...(await issueLinkAndCode(parts, user, "recovery")) } as const;
}

async function recordRecoveryRequest(db: ClientBase, user: User, requestedAt: Date) {
  await db.query("update auth.users set recovery_sent_at = $2, updated_at = $2 where id = $1", [user.id, requestedAt]);
  await writeAuditLog(db, { action: "user_recovery_requested", user, at: requestedAt });
}

/**
 * Goes to one of the two addresses of a change. If the new one has an account of its own, its owner is told instead, and
 * the change cannot be completed.
 */
async function emailChangeMail(parts: Parts, purpose: EmailChangePurpose): Promise<AccountMail | undefined> {
  const { db, context, mail } = parts;
  const side = purpose === "email_change_new" ? "new" : "current";
  const user = await lockUserByEmail(db, mail.email);
  const newEmail = user?.email_change;
  if (!user || !newEmail || user.email_change_confirmed_by === side) return undefined;
  const record = () => changeUser(db, user, { email_change_sent_at: mail.requestedAt }, context.now());
  if (!(await isLatestRequest(user.email_change_sent_at, mail, record))) return undefined;

  const to = side === "new" ? newEmail : user.email;
  const isTaken = side === "new" && (await findUserByEmail(db, newEmail))?.email_confirmed_at;
  if (isTaken) return { kind: "new-email-taken", to, link: `${context.siteUrl}/auth` };

  const facts = [
    ["Current address", user.email],
    ["New address", newEmail],
  ] as const;
  return { kind: "change-email", to, facts, ...(await issueLinkAndCode(parts, user, purpose)) };
}

async function issueLinkAndCode({ db, context, mail, token }: Parts, user: User, purpose: Purpose) {
  const { siteUrl, now } = context;
  await issueToken(db, { userId: user.id, purpose }, token, now());
  const link = mailedLink({ siteUrl, token: token.token, purpose, redirectTo: mail.redirectTo });
  return { link, code: token.code };
}
