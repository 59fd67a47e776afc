import type { ClientBase } from "pg";
import { z } from "zod";
import { inTransaction } from "#server/database/transaction";
import type { Attempt } from "#server/jobs/worker";
import type { AccountMail } from "#server/mail/account-mail";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { type EmailChangePurpose, issueToken, newOneTimeToken, type OneTimeToken } from "../tokens/one-time-tokens.ts";
import { changeUser, findUserByEmail, lockUserByEmail, type User } from "../users.ts";
import { admitRequestedMail } from "./admit-requested-mail.ts";
import { linkTypes, mailedLink } from "./mailed-link.ts";
import { type QueuedMail, recordConfirmationRequest } from "./queue-account-mail.ts";

/**
 * The settings and services that a mail template uses. A background job renders the mail, so there is no HTTP request.
 */
type RenderContext = Pick<AuthContext, "owner" | "siteUrl" | "hasher" | "now" | "mailsPerHourMax">;

/**
 * Composes a mail right before it is sent. Returns undefined if the mail is no longer needed, or if its address has no
 * account.
 */
type Template = (db: ClientBase, context: RenderContext, mail: QueuedMail) => Promise<AccountMail | undefined>;

/**
 * A template for a mail with a link and a code. The caller makes both before the transaction, see `newOneTimeToken`.
 */
type TokenTemplate = (...given: [...Parameters<Template>, token: OneTimeToken]) => ReturnType<Template>;

/**
 * Renders the mail that a job's payload describes. Each attempt to send it makes a new token, because only hashes of
 * tokens are stored. A mail that still has to pass the limits is queued again instead.
 */
export async function renderQueuedMail(
  context: RenderContext,
  payload: unknown,
  attempt: Pick<Attempt, "finish">,
): Promise<AccountMail | undefined> {
  const { kind, email, redirect_to, facts, asked_at, limited } = payloadSchema.parse(payload);
  const mail = { kind: kind as QueuedMail["kind"], email, redirectTo: redirect_to, facts, requestedAt: asked_at };
  if (limited) return admitRequestedMail(context, mail, attempt);

  const template = templates[mail.kind];
  if ("render" in template) return inTransaction(context.owner, (db) => template.render(db, context, mail));

  const token = await newOneTimeToken(context.hasher);
  return inTransaction(context.owner, (db) => template.renderWithToken(db, context, mail, token));
}

/**
 * Sends a link and a code that confirm the address. An invited person always gets an invitation, even if a sign-up or a
 * resend requested the mail.
 */
const confirmationMail: TokenTemplate = async (db, { siteUrl, now }, { email, redirectTo, requestedAt }, token) => {
  const user = await lockUserByEmail(db, email);
  if (!user || user.email_confirmed_at) return undefined;

  // Only the latest request gets a mail: a delayed mail of an earlier request would invalidate the latest code.
  const lastRequestedAt = user.confirmation_sent_at ?? new Date(0);
  if (lastRequestedAt > requestedAt) return undefined;
  if (lastRequestedAt < requestedAt) await recordConfirmationRequest(db, user, requestedAt);

  const purpose = user.invited_at ? "invite" : "confirmation";
  await issueToken(db, { userId: user.id, purpose }, token, now());
  const link = mailedLink({ siteUrl, token: token.token, type: linkTypes[purpose], redirectTo });
  return { kind: purpose === "invite" ? "invite" : "confirm-address", to: user.email, link, code: token.code };
};

/**
 * The mail for a sign-up with an address that already has an account. The HTTP answer does not reveal that the account
 * exists; only the mail tells its owner about the sign-up.
 */
const alreadyRegisteredMail: Template = async (db, { siteUrl }, { email }) => {
  const user = await lockUserByEmail(db, email);
  return user && { kind: "already-registered", to: user.email, link: `${siteUrl}/auth` };
};

/**
 * Sends a link and a code with which the owner signs in without the password. The mail says who asked for it: a person
 * at the login, or the operator who removed the password.
 */
const recoveryMail: TokenTemplate = async (db, { siteUrl, now }, { kind, email, redirectTo, requestedAt }, token) => {
  const user = await lockUserByEmail(db, email);
  if (!user) return undefined;

  // Only the latest request gets a mail, for the reason given in `confirmationMail`.
  const lastRequestedAt = user.recovery_sent_at ?? new Date(0);
  if (lastRequestedAt > requestedAt) return undefined;
  if (lastRequestedAt < requestedAt) await recordRecoveryRequest(db, user, requestedAt);

  await issueToken(db, { userId: user.id, purpose: "recovery" }, token, now());
  const link = mailedLink({ siteUrl, token: token.token, type: linkTypes.recovery, redirectTo });
  return { kind: kind === "choose-password" ? kind : "recover", to: user.email, link, code: token.code };
};

async function recordRecoveryRequest(db: ClientBase, user: User, requestedAt: Date) {
  await db.query("update auth.users set recovery_sent_at = $2, updated_at = $2 where id = $1", [user.id, requestedAt]);
  await writeAuditLog(db, { action: "user_recovery_requested", user, at: requestedAt });
}

/**
 * Sends a link and a code to one of the two addresses of a change. If the new one has an account of its own, its owner is
 * told instead, and the change cannot be completed.
 */
function emailChangeMail(purpose: EmailChangePurpose): TokenTemplate {
  const side = purpose === "email_change_new" ? "new" : "current";
  return async (db, { siteUrl, now }, { email, redirectTo, requestedAt }, token) => {
    const user = await lockUserByEmail(db, email);
    const newEmail = user?.email_change;
    if (!user || !newEmail || user.email_change_confirmed_by === side) return undefined;

    // Only the latest request gets a mail, for the reason given in `confirmationMail`.
    const lastRequestedAt = user.email_change_sent_at ?? new Date(0);
    if (lastRequestedAt > requestedAt) return undefined;
    if (lastRequestedAt < requestedAt) await changeUser(db, user, { email_change_sent_at: requestedAt }, now());

    const to = side === "new" ? newEmail : user.email;
    const isTaken = side === "new" && (await findUserByEmail(db, newEmail))?.email_confirmed_at;
    if (isTaken) return { kind: "new-email-taken", to, link: `${siteUrl}/auth` };

    await issueToken(db, { userId: user.id, purpose }, token, now());
    const link = mailedLink({ siteUrl, token: token.token, type: linkTypes[purpose], redirectTo });
    const facts = [
      ["Current address", user.email],
      ["New address", newEmail],
    ] as const;
    return { kind: "change-email", to, link, code: token.code, facts };
  };
}

/** Tells the former address that the account has another one. No account has that address now. */
const emailChangedMail: Template = async (_db, { siteUrl }, { email }) => ({
  kind: "email-changed",
  to: email,
  link: `${siteUrl}/auth`,
});

/** Sends a code with which a signed-in person shows once more who it is. */
const reauthenticationMail: TokenTemplate = async (db, { siteUrl, now }, { email, requestedAt }, token) => {
  const user = await lockUserByEmail(db, email);
  if (!user?.reauthentication_sent_at || user.reauthentication_sent_at > requestedAt) return undefined;
  await issueToken(db, { userId: user.id, purpose: "reauthentication" }, token, now());
  return { kind: "reauthenticate", to: user.email, link: `${siteUrl}/account`, code: token.code };
};

/** Tells the owner that the password was changed, in case an intruder did it. */
const passwordChangedMail: Template = async (db, { siteUrl }, { email }) => {
  const user = await lockUserByEmail(db, email);
  return user && { kind: "password-changed", to: user.email, link: `${siteUrl}/auth` };
};

/** Tells the owner about the right to read contacts: the account may have been opened by a stranger. */
const contactsGrantedMail: Template = async (db, { siteUrl }, { email }) => {
  const user = await findUserByEmail(db, email);
  return user && { kind: "contacts-granted", to: user.email, link: `${siteUrl}/admin/contacts` };
};

/**
 * Tells the owner about a new device or a change of the second factor. The link contains no token: it leads to a page
 * that requires a sign-in.
 */
const alertMail: Template = async (db, { siteUrl }, { kind, email, facts }) => {
  const user = await findUserByEmail(db, email);
  return user && { kind, to: user.email, link: `${siteUrl}/account`, facts };
};

const templates: Record<
  QueuedMail["kind"] | "change-email-new",
  { render: Template } | { renderWithToken: TokenTemplate }
> = {
  "confirm-address": { renderWithToken: confirmationMail },
  "already-registered": { render: alreadyRegisteredMail },
  recover: { renderWithToken: recoveryMail },
  "choose-password": { renderWithToken: recoveryMail },
  invite: { renderWithToken: confirmationMail },
  "password-changed": { render: passwordChangedMail },
  "contacts-granted": { render: contactsGrantedMail },
  "new-device": { render: alertMail },
  "second-factor-added": { render: alertMail },
  "second-factor-removed": { render: alertMail },
  "recovery-code-used": { render: alertMail },
  "change-email": { renderWithToken: emailChangeMail("email_change_current") },
  "change-email-new": { renderWithToken: emailChangeMail("email_change_new") },
  "email-changed": { render: emailChangedMail },
  reauthenticate: { renderWithToken: reauthenticationMail },
};

const payloadSchema = z.object({
  kind: z.string().refine((kind) => Object.hasOwn(templates, kind)),
  email: z.string(),
  redirect_to: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])).default([]),
  asked_at: z.coerce.date(),
  limited: z.boolean().default(false),
});
