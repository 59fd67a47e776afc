import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { Refusal } from "#server/http/refusal";
import { purposeOf } from "../account-mail/mailed-link.ts";
import { readRedirectTarget, withFragment } from "../account-mail/redirect-target.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { plainEmailAddress } from "../email-address.ts";
import { resetMailsPerAddress } from "../limits/account-mail-limits.ts";
import { requireCodeAttempt, takeNetworkCodeAttempt } from "../limits/code-attempts.ts";
import { hashCaller } from "../passwords/password-hasher.ts";
import { refusals } from "../refusals.ts";
import { removeExpired } from "../remove-expired.ts";
import { queryText, readBody, text } from "../request-input.ts";
import { alertAboutNewDevice } from "../sessions/known-devices.ts";
import { sessionJson } from "../sessions/session-json.ts";
import { clientOf, type OpenSession, openSession } from "../sessions/sessions.ts";
import {
  deleteOneTimeTokens,
  findNewestCode,
  type Purpose,
  spendCode,
  spendLink,
  takeCodeAttempt,
} from "../tokens/one-time-tokens.ts";
import { changeUser, isBanned, lockUser } from "../users.ts";

const bodySchema = z.object({
  type: text,
  token: text,
  token_hash: text,
  email: text,
  redirect_to: text,
  discard_password: z.boolean().nullish(),
});

/** GET and POST /verify (docs/protocol.md#links-at-the-api, docs/protocol.md#verification-by-a-page). */
export function verify(app: FastifyInstance, context: AuthContext) {
  // Do not let Fastify answer HEAD requests with this handler: a program that checks links in mails would use up the
  // token.
  app.get("/verify", { exposeHeadRoute: false }, async (request, reply) => {
    const type = queryText(request, "type");
    const token = queryText(request, "token") ?? queryText(request, "token_hash");
    if (!type) throw refusals.noLinkType();
    if (!token) throw refusals.noLinkToken();

    const target = readRedirectTarget(request, context);
    const fragment = await verifyLink(request, context, { type, token }).then(
      async (opened) => sessionFragment(context, opened, type),
      errorFragment,
    );
    return reply.redirect(withFragment(target, fragment), 303);
  });

  app.post("/verify", async (request) => {
    const { type, token, token_hash, email, redirect_to, discard_password } = readBody(request, bodySchema);
    if (!type) throw refusals.noLinkType();
    if (Boolean(token) === Boolean(token_hash)) throw refusals.noLinkToken();
    if (token_hash && (email || redirect_to)) throw refusals.extraFieldsWithTokenHash();

    const discardsPassword = discard_password === true;
    const opened = token_hash
      ? await verifyLink(request, context, { type, token: token_hash, discardsPassword })
      : await verifyCode(request, context, { type, code: token, email: plainEmailAddress(email), discardsPassword });
    return sessionJson(context, opened);
  });
}

/** Uses up the token and signs its owner in. The answer to an invalid token is always the same. */
async function verifyLink(
  request: FastifyRequest,
  context: AuthContext,
  { type, token, discardsPassword = false }: { type: string; token: string; discardsPassword?: boolean },
) {
  const purpose = purposeOf(type);
  if (!purpose) throw refusals.invalidLink();

  return inTransaction(context.owner, async (db) => {
    const userId = await spendLink(db, { token, purpose }, context.now());
    if (!userId) throw refusals.invalidLink();
    return signInByMail(db, request, { userId, purpose, way: "link", discardsPassword, now: context.now() });
  });
}

/**
 * Uses up a typed code and signs its owner in. The attempt is committed before the code is compared, so it counts even
 * if the request fails later. For an address without an account or a code, the same SQL statements and the same hash
 * run, so timing does not reveal accounts.
 */
async function verifyCode(
  request: FastifyRequest,
  context: AuthContext,
  { type, code, email, discardsPassword }: { type: string; code: string; email: string; discardsPassword: boolean },
) {
  const { owner, limits, hasher, now } = context;
  const { ip } = request;
  const purpose = purposeOf(type);
  if (!purpose) throw refusals.invalidCode();
  if (limits) await requireCodeAttempt(owner, { email, purpose, ip }, now());

  const mailed = await findNewestCode(repeatable(owner), { email, purpose }, now());
  const mayTry = await takeNetworkCodeAttempt(owner, { email, purpose, ip, codeHash: mailed?.codeHash }, now());
  const attempt = await inTransaction(owner, async (db) => {
    const taken = (await takeCodeAttempt(db, mayTry ? mailed : undefined)) ? mailed : undefined;
    const user = taken && { id: taken.userId, email };
    await writeAuditLog(db, { action: "verification_attempted", user, at: now(), traits: { purpose }, ip });
    await removeExpired(db, context, now());
    return taken;
  });
  // Ignore spaces: the mail shows the code in two halves.
  const matches = await hasher.matches(attempt?.codeHash, code.replace(/\s/g, ""), hashCaller(context, ip));
  if (!attempt || !matches) throw refusals.invalidCode();

  return inTransaction(owner, async (db) => {
    await lockUser(db, attempt.userId);
    if (!(await spendCode(db, attempt))) throw refusals.invalidCode();
    return signInByMail(db, request, { userId: attempt.userId, purpose, way: "code", discardsPassword, now: now() });
  });
}

/** Confirms the address and signs its owner in. Whoever can read the mails to an address counts as its owner. */
async function signInByMail(
  db: ClientBase,
  request: FastifyRequest,
  {
    userId,
    purpose,
    way,
    discardsPassword,
    now,
  }: { userId: string; purpose: Purpose; way: "link" | "code"; discardsPassword: boolean; now: Date },
): Promise<OpenSession> {
  const found = await lockUser(db, userId);
  if (!found) throw refusals.invalidLink();
  if (isBanned(found, now)) throw refusals.banned(403);

  // Remove a password that was set before the address was ever confirmed: a stranger may have signed up with it. A
  // confirmation removes it only on request, because the person may have signed up with it (docs/protocol.md#an-unproved-password).
  const losesPassword = !found.email_confirmed_at && (purpose === "recovery" || discardsPassword);
  const user = await changeUser(
    db,
    found,
    { email_confirmed_at: found.email_confirmed_at ?? now, ...(losesPassword && { encrypted_password: null }) },
    now,
  );
  await deleteOneTimeTokens(db, user.id);
  await resetMailsPerAddress(db, user.email);
  const action = found.email_confirmed_at ? "login" : "user_signedup";
  await writeAuditLog(db, { action, user, at: now, traits: { provider: "email" }, ip: request.ip });
  const client = clientOf(request);
  await alertAboutNewDevice(db, user, client, { way, now });
  return openSession(db, { user, method: "otp", client, now });
}

async function sessionFragment(
  context: AuthContext,
  opened: OpenSession,
  type: string,
): Promise<Record<string, string>> {
  const { user: _user, ...session } = await sessionJson(context, opened);
  return { ...session, expires_at: `${session.expires_at}`, expires_in: `${session.expires_in}`, sb: "", type };
}

/**
 * Puts a refusal into the fragment of the redirect, so that the page shows it to the person who followed the link. Any
 * other error is thrown again, and the server answers it as JSON.
 */
function errorFragment(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal)) throw error;
  return { error: "access_denied", error_code: error.code, error_description: error.message, sb: "" };
}
