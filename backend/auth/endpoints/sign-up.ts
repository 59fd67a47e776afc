import { randomUUID } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";
import { countMail } from "../account-mail/mail-limits.ts";
import { readRedirectTarget } from "../account-mail/redirect-target.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext, Endpoints } from "../auth-context.ts";
import { requireEmail } from "../normalize-email.ts";
import { checkNewPassword, checkPasswordLength } from "../passwords/password-rules.ts";
import { refusals } from "../refusals.ts";
import { readBody, refusePkce, text } from "../request-input.ts";
import { refusalOf, requireLimits } from "../require-limits.ts";
import { openSession } from "../sessions/session-store.ts";
import { sessionJson } from "../tokens/access-token.ts";
import { requireShortMetadata, userJson } from "../user-json.ts";
import { addUser, findUserByEmail, lockUserByEmail, noEmailChange, type User } from "../users.ts";

const bodySchema = z.object({
  email: text,
  phone: text,
  password: text,
  code_challenge: text,
  data: z
    .record(z.string(), z.unknown())
    .nullish()
    .transform((data) => data ?? {}),
});

/** POST /signup (docs/protocol.md#sign-up). */
export const signUp: Endpoints = { "POST /signup": answerSignUp };

async function answerSignUp(request: FastifyRequest, context: AuthContext) {
  const body = readBody(request, bodySchema);
  if (body.email.trim() === "") throw body.phone ? refusals.noPhones() : refusals.noSignUpAddress();
  if (context.signUps !== "open") throw refusals.signUpDisabled();
  // An autoconfirmed sign-up mails no link, so it opens a session in either flow.
  if (!context.autoconfirm) refusePkce(body);
  const { passwordCharactersMin: charactersMin } = context;
  checkPasswordLength(body.password, charactersMin);
  const email = requireEmail(body.email);
  await checkNewPassword(body.password, { email, charactersMin });
  requireShortMetadata(body.data);
  const mailRequest = { mail: "sign-up", ip: request.ip };
  if (!context.autoconfirm) await requireLimits(context, repeatable(context.owner), ["mail requests"], mailRequest);

  // Hash the password, and compare it below, even if the result is not used: so the time does not reveal accounts.
  const passwordHash = await context.hasher.hash(body.password);
  const candidate = { email, passwordHash, metadata: body.data };
  if (context.autoconfirm) return signUpAutoconfirmed(request, context, candidate);
  const matchingHash = await findMatchingHash(context, email, body.password);
  return signUpByMail(request, context, { ...candidate, matchingHash });
}

interface Candidate {
  email: string;
  passwordHash: string;
  metadata: Record<string, unknown>;
}

async function signUpAutoconfirmed(request: FastifyRequest, context: AuthContext, candidate: Candidate) {
  const opened = await inTransaction(context.owner, async (db) => {
    const user = await addUser(db, { ...candidate, isConfirmed: true });
    if (!user) throw refusals.alreadyRegistered();
    return openSession(db, { user, method: "password", ip: request.ip, action: "user_signedup" });
  });
  return sessionJson(context, opened);
}

/** `matchingHash` is the stored hash that the password matches, if an unconfirmed account has one. */
type ComparedCandidate = Candidate & { matchingHash: string | null };

async function findMatchingHash({ owner, hasher }: AuthContext, email: string, password: string) {
  const account = await findUserByEmail(repeatable(owner), email);
  const stored = account && !account.email_confirmed_at ? account.encrypted_password : null;
  return (await hasher.matches(stored, password)) ? stored : null;
}

/** The answer is the same, and so is the SQL, whether the address is new, not confirmed yet, or has an account. */
async function signUpByMail(request: FastifyRequest, context: AuthContext, candidate: ComparedCandidate) {
  const { ip } = request;
  const redirectTo = readRedirectTarget(request, context).href;

  const user = await inTransaction(context.owner, async (db) => {
    const { account, isNew, isContested } = await addOrLockAccount(db, candidate);
    const { email } = account;
    // Every address gets a mail, so the 429 beyond the site's limit reveals no account.
    const excess = await countMail(context, db, { kind: "sign-up", email, siteKind: "sign-up" });
    if (excess?.name === "mails of the site") throw refusalOf(excess);
    // If the address has got too many, the links of the last hour still work.
    if (!excess) {
      const sql = `update auth.users set confirmation_sent_at = now(), updated_at = now()
        where id = $1 and email_confirmed_at is null`;
      await db.query(sql, [account.id]);
      const [action, kind] = account.email_confirmed_at
        ? (["user_repeated_signup", "already-registered"] as const)
        : (["user_confirmation_requested", "confirm-address"] as const);
      await writeAuditLog(db, { action, user: account, traits: { contested: isContested } });
      await context.queueMail(db, { kind, email, redirectTo });
    }
    // The refusal also undoes everything above.
    await requireLimits(context, db, ["repeated mail requests"], { mail: "sign-up", ip, email });
    return newUser(isNew ? account.id : randomUUID(), candidate, context.now());
  });
  return userJson(user);
}

/**
 * Adds an account, or locks the existing one. An unconfirmed account that is signed up with another password loses its
 * own: either sign-up may be a stranger's (docs/protocol.md#an-unproved-password). A hash that has changed since the
 * comparison counts as another password. The same SQL runs for every address, so its time reveals no account.
 */
async function addOrLockAccount(
  db: ClientBase,
  candidate: ComparedCandidate,
): Promise<{ account: User; isNew: boolean; isContested: boolean }> {
  const added = await addUser(db, { ...candidate, isConfirmed: false });
  const account = await lockUserByEmail(db, candidate.email);
  // The account was deleted between the two statements. A repeated request will find the address free.
  if (!account) throw refusals.tooBusy();

  const isContested = !added && !account.email_confirmed_at && account.encrypted_password !== candidate.matchingHash;
  const sql = "update auth.users set encrypted_password = null, raw_user_meta_data = '{}' where id = $1 and $2";
  await db.query(sql, [account.id, isContested]);
  return { account, isNew: added !== undefined, isContested };
}

/** What the answer shows for every address, so that it reveals nothing about an existing account. */
function newUser(id: string, { email, passwordHash, metadata }: Candidate, now: Date): User {
  return {
    id,
    aud: "authenticated",
    role: "authenticated",
    email,
    encrypted_password: passwordHash,
    email_confirmed_at: null,
    confirmation_sent_at: now,
    recovery_sent_at: null,
    invited_at: null,
    ...noEmailChange,
    last_sign_in_at: null,
    banned_until: null,
    is_banned: false,
    raw_app_meta_data: { provider: "email", providers: ["email"] },
    raw_user_meta_data: metadata,
    factors: null,
    created_at: now,
    updated_at: now,
  };
}
