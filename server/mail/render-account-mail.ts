import type { ClientBase } from "pg";
import {
  isDue,
  isNotice,
  type MailWithToken,
  mailsWithToken,
  type NoticeKind,
  type QueuedMail,
  type RequestedMail,
} from "#backend/auth/account-mail/queued-mail";
import { writeAuditLog } from "#backend/auth/audit-log";
import type { AuthContext } from "#backend/auth/auth-context";
import { issueToken, mailedTokens, newOneTimeToken, type Purpose } from "#backend/auth/tokens/one-time-tokens";
import { changeUser, findUserByEmail, lockUserByEmail, type User } from "#backend/auth/users";
import { repeatable } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";
import { accountMails } from "#content/account-mails";
import { type MailTemplate, type Message, renderHtml, renderText } from "./mail-template.ts";

export interface AccountMail {
  kind: keyof typeof accountMails;
  to: string;
  /** The URL that the mail's button opens. */
  link: string;
  /** Six digits that can be typed instead of pressing the button. */
  code?: string;
  /** A table of details, such as the device of a sign-in. */
  facts?: MailTemplate["details"] | undefined;
}

export type RenderContext = Pick<AuthContext, "owner" | "siteUrl" | "hasher">;

/** The page that the button of a notice opens. */
const pageOf: Readonly<Record<NoticeKind, string>> = {
  "already-registered": "/auth",
  "password-changed": "/auth",
  "email-changed": "/auth",
  "contacts-granted": "/admin/contacts",
  "second-factor-added": "/account",
  "second-factor-removed": "/account",
  "recovery-code-used": "/account",
};

/** Puts the values into the words of the mail. */
export function writeAccountMail({ kind, to, facts = [], ...values }: AccountMail): Omit<Message, "from"> {
  const template = { ...accountMails[kind], details: facts };
  return { to, subject: template.subject, text: renderText(template, values), html: renderHtml(template, values) };
}

/**
 * What a mail tells, right before it is sent; undefined if it is no longer needed. Each attempt makes a new token, because
 * only hashes of tokens are stored.
 */
export async function renderAccountMail(context: RenderContext, mail: RequestedMail): Promise<AccountMail | undefined> {
  const { kind, email, facts } = mail;
  if (!isNotice(kind)) return renderMailWithToken(context, mail, mailsWithToken[kind]);
  // A sign-up costs as much as with "confirm-address": otherwise the server's load would reveal accounts.
  if (kind === "already-registered") await newOneTimeToken(context.hasher);
  // The former address of an account whose address has changed belongs to no account now.
  if (kind !== "email-changed" && !(await findUserByEmail(repeatable(context.owner), email))) return undefined;
  return { kind, to: email, link: context.siteUrl + pageOf[kind], facts };
}

async function renderMailWithToken(
  { owner, siteUrl, hasher }: RenderContext,
  mail: RequestedMail,
  made: MailWithToken,
): Promise<AccountMail | undefined> {
  const token = await newOneTimeToken(hasher);
  return inTransaction(owner, async (db) => {
    const user = await lockUserByEmail(db, mail.email);
    if (!user || !isDue(user, made, mail.requestedAt) || hasConfirmed(user, made)) return undefined;
    await recordRequest(db, user, made, mail.requestedAt);

    const to = made.purpose === "email_change_new" ? (user.email_change ?? "") : user.email;
    // The owner of an account with the new address is told instead, and the change cannot be completed.
    if (to !== user.email && (await findUserByEmail(db, to))?.email_confirmed_at)
      return { kind: "new-email-taken", to, link: `${siteUrl}/auth` };

    // An invited person always gets an invitation, even if a sign-up or a resend requested the mail.
    const purpose = made.purpose === "confirmation" && user.invited_at ? "invite" : made.purpose;
    await issueToken(db, { userId: user.id, purpose }, token);
    const link = mailedLink({ siteUrl, token: token.token, purpose, redirectTo: mail.redirectTo });
    return { ...describeMail(user, purpose, mail), to, link, code: token.code };
  });
}

function hasConfirmed({ email_change_confirmed_by: by }: User, { purpose }: MailWithToken): boolean {
  return by !== null && purpose === `email_change_${by}`;
}

/** Records a request that the account does not know yet. */
async function recordRequest(db: ClientBase, user: User, { purpose, sentAt }: MailWithToken, requestedAt: Date) {
  const latest = user[sentAt];
  if (latest && latest >= requestedAt) return;
  await changeUser(db, user, { [sentAt]: requestedAt });
  if (purpose === "confirmation" || purpose === "recovery")
    await writeAuditLog(db, { action: `user_${purpose}_requested`, user });
}

function describeMail(user: User, purpose: Purpose, { kind }: QueuedMail): Pick<AccountMail, "kind" | "facts"> {
  if (purpose === "confirmation") return { kind: "confirm-address" };
  if (purpose === "invite") return { kind: "invite" };
  // The mail says who asked for it: a person at the login, or the operator who removed the password.
  if (purpose === "recovery") return { kind: kind === "choose-password" ? kind : "recover" };
  const facts = [
    ["Current address", user.email],
    ["New address", user.email_change ?? ""],
  ] as const;
  return { kind: "change-email", facts };
}

interface MailedLink {
  siteUrl: string;
  token: string;
  purpose: Purpose;
  /** The page to open after the link was used. `readRedirectTarget` has allowed it. */
  redirectTo: string | undefined;
}

/**
 * The link opens a page of this site, and the token is used only when the person presses the button there: programs that
 * scan mails open every link (docs/protocol.md#mailed-links). The token is in the fragment, which browsers do not send, so
 * it appears in no log.
 */
function mailedLink({ siteUrl, token, purpose, redirectTo }: MailedLink): string {
  const values = new URLSearchParams({ token_hash: token, type: mailedTokens[purpose].type });
  if (redirectTo && redirectTo !== `${siteUrl}/`) values.set("redirect_to", redirectTo);
  return `${siteUrl}/auth#${values}`;
}
