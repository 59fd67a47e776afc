import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import type { Attempt } from "#server/jobs/worker";
import type { AccountMail } from "#server/mail/account-mail";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { issueToken, linkTypes, newOneTimeToken, type OneTimeToken, type Purpose } from "../tokens/one-time-tokens.ts";
import { changeUser, findUserByEmail, lockUserByEmail, type User } from "../users.ts";
import { admitRequestedMail } from "./admit-requested-mail.ts";
import { isDue, type MailWithToken, mailKinds, type QueuedMail } from "./queue-account-mail.ts";

/** The settings and services that a mail uses. A background job renders it, so there is no HTTP request. */
type RenderContext = Pick<AuthContext, "owner" | "siteUrl" | "hasher" | "now" | "accountMailsPerHour">;

const payloadSchema = z.object({
  kind: z.enum(Object.keys(mailKinds) as (keyof typeof mailKinds)[]),
  email: z.string(),
  redirect_to: z.string(),
  facts: z.array(z.tuple([z.string(), z.string()])).optional(),
  asked_at: z.coerce.date(),
  limited: z.boolean().default(false),
});

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
  const made = mailKinds[kind];
  if ("page" in made) return renderNotice(context, mail, made.page);
  if (limited) return admitRequestedMail(context, mail, made, attempt);
  const token = await newOneTimeToken(context.hasher);
  return inTransaction(context.owner, (db) => renderMailWithToken({ db, context, mail, token, ...made }));
}

async function renderNotice({ owner, siteUrl }: RenderContext, { kind, email, facts }: QueuedMail, page: string) {
  // The former address of an account whose address has changed belongs to no account now.
  if (kind !== "email-changed" && !(await findUserByEmail(repeatable(owner), email))) return undefined;
  return { kind, to: email, link: siteUrl + page, facts };
}

interface Parts extends MailWithToken {
  db: ClientBase;
  context: RenderContext;
  mail: QueuedMail & { redirectTo: string };
  /** Made before the transaction, see `newOneTimeToken`. */
  token: OneTimeToken;
}

async function renderMailWithToken({ db, context, mail, token, ...made }: Parts): Promise<AccountMail | undefined> {
  const { siteUrl, now } = context;
  const user = await lockUserByEmail(db, mail.email);
  if (!user || !isDue(user, made, mail.requestedAt) || hasConfirmed(user, made)) return undefined;
  await recordRequest(db, user, made, mail.requestedAt);

  const to = made.purpose === "email_change_new" ? (user.email_change ?? "") : user.email;
  // The owner of an account with the new address is told instead, and the change cannot be completed.
  if (to !== user.email && (await findUserByEmail(db, to))?.email_confirmed_at)
    return { kind: "new-email-taken", to, link: `${siteUrl}/auth` };

  // An invited person always gets an invitation, even if a sign-up or a resend requested the mail.
  const purpose = made.purpose === "confirmation" && user.invited_at ? "invite" : made.purpose;
  await issueToken(db, { userId: user.id, purpose }, token, now());
  const link = mailedLink({ siteUrl, token: token.token, purpose, redirectTo: mail.redirectTo });
  return { ...describeMail(user, purpose, mail), to, link, code: token.code };
}

/** Whether this address of a change has confirmed it already. */
function hasConfirmed({ email_change_confirmed_by: by }: User, { purpose }: MailWithToken): boolean {
  return by !== null && purpose === `email_change_${by}`;
}

/** Records a request that the account does not know yet. */
async function recordRequest(db: ClientBase, user: User, { sentAt, action }: MailWithToken, requestedAt: Date) {
  const latest = user[sentAt];
  if (latest && latest >= requestedAt) return;
  await changeUser(db, user, { [sentAt]: requestedAt }, requestedAt);
  if (action) await writeAuditLog(db, { action, user, at: requestedAt });
}

function describeMail(user: User, purpose: Purpose, { kind }: QueuedMail): Pick<AccountMail, "kind" | "facts"> {
  if (purpose === "confirmation") return { kind: "confirm-address" };
  if (purpose === "invite") return { kind: "invite" };
  // The mail says who asked for it: a person at the login, or the operator who removed the password.
  if (purpose === "recovery") return { kind };
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
  redirectTo: string;
}

/**
 * The link opens a page of this site, and the token is used only when the person presses the button there: programs that
 * scan mails open every link (docs/protocol.md#mailed-links). The token is in the fragment, which browsers do not send, so
 * it appears in no log.
 */
export function mailedLink({ siteUrl, token, purpose, redirectTo }: MailedLink): string {
  const values = new URLSearchParams({ token_hash: token, type: linkTypes[purpose] });
  if (redirectTo !== `${siteUrl}/`) values.set("redirect_to", redirectTo);
  return `${siteUrl}/auth#${values}`;
}
