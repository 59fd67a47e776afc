import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";
import type { Attempt } from "#server/jobs/worker";
import type { AccountMail } from "#server/mail/write-account-mail";
import { isAdmin } from "../admin-roles.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { countMail, type DueMail, mailsOfEmailChange } from "../limits/mail-limits.ts";
import type { LimiterContext } from "../limits/rate-limiter.ts";
import {
  issueToken,
  mailedTokens,
  newOneTimeToken,
  type OneTimeToken,
  type Purpose,
} from "../tokens/one-time-tokens.ts";
import { changeUser, findUserByEmail, lockUserByEmail, type User } from "../users.ts";
import { isDue, type MailWithToken, mailKinds, type QueuedMail, queueAccountMail } from "./queue-account-mail.ts";

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
 * Renders the mail of a job right before it is sent; undefined if it is no longer needed. Each attempt makes a new
 * token, because only hashes of tokens are stored. A mail that still has to pass the limits is queued again instead.
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
  if (!user || !isDue(user, made, mail.requestedAt, now()) || hasConfirmed(user, made)) return undefined;
  await recordRequest(db, user, made, { requestedAt: mail.requestedAt, now: now() });

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

function hasConfirmed({ email_change_confirmed_by: by }: User, { purpose }: MailWithToken): boolean {
  return by !== null && purpose === `email_change_${by}`;
}

/** Records a request that the account does not know yet. */
async function recordRequest(
  db: ClientBase,
  user: User,
  { purpose, sentAt }: MailWithToken,
  { requestedAt, now }: { requestedAt: Date; now: Date },
) {
  const latest = user[sentAt];
  if (latest && latest >= requestedAt && latest <= now) return;
  await changeUser(db, user, { [sentAt]: requestedAt }, now);
  if (purpose === "confirmation" || purpose === "recovery")
    await writeAuditLog(db, { action: `user_${purpose}_requested`, user, at: requestedAt });
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
function mailedLink({ siteUrl, token, purpose, redirectTo }: MailedLink): string {
  const values = new URLSearchParams({ token_hash: token, type: mailedTokens[purpose].type });
  if (redirectTo !== `${siteUrl}/`) values.set("redirect_to", redirectTo);
  return `${siteUrl}/auth#${values}`;
}

/**
 * Applies the limits of mails (docs/protocol.md#mail-limits) to a mail of /recover or /resend. The request itself must
 * not: they count only mails that are sent, so a refusal would reveal whether the address has an account. An admitted
 * mail is queued again without limits in the commit that removes this job, so it counts once.
 */
async function admitRequestedMail(
  { owner, now, accountMailsPerHour }: Pick<AuthContext, "owner" | "now" | "accountMailsPerHour">,
  mail: QueuedMail,
  made: MailWithToken,
  attempt: Pick<Attempt, "finish">,
): Promise<undefined> {
  await inTransaction(owner, async (db) => {
    const user = await lockUserByEmail(db, mail.email);
    const context = { limitsAreOn: true, accountMailsPerHour, now };
    const isAdmitted =
      user && isDue(user, made, mail.requestedAt, now()) && (await countMails(context, db, user, made));
    // For an address without an account everything is done but the sending: otherwise the server's load would reveal
    // accounts. Admitted mails overtake undecided requests, so a flood of requests delays no mail.
    await queueAccountMail(db, isAdmitted ? { ...mail, priority: -1 } : { ...mail, email: "", priority: 1 });
    await attempt.finish(db);
  });
}

async function countMails(context: LimiterContext, db: ClientBase, user: User, made: MailWithToken): Promise<boolean> {
  for (const each of await mailsOf(db, user, made)) {
    const excess = await countMail(context, db, each);
    if (excess?.name === "mails of the site")
      throw new Error("The site has sent as many emails as ACCOUNT_MAILS_PER_HOUR allows; this one is sent later.");
    if (excess) return false;
  }
  return true;
}

async function mailsOf(db: ClientBase, user: User, { purpose }: MailWithToken): Promise<DueMail[]> {
  if (purpose !== "recovery" && purpose !== "confirmation")
    return mailsOfEmailChange(db, user, user.email_change ?? "");

  // Anyone can create unconfirmed accounts, so mails to them do not count with the recovery mails of others, nor with
  // sign-ups, whose 429 would reveal that such an account exists. Mails to an admin count only for that address: other
  // accounts must not lock the site's owner out.
  const siteKind = user.email_confirmed_at ? "recovery" : "unconfirmed";
  const counted = (await isAdmin(db, user)) ? undefined : siteKind;
  return [{ kind: purpose === "recovery" ? "recovery" : "sign-up", email: user.email, siteKind: counted }];
}
