import type { FastifyRequest } from "fastify";
import type { ClientBase } from "pg";
import { z } from "zod";
import { inTransaction } from "#backend/database/transaction";
import { Refusal } from "#backend/http/refusal";
import { fillMailsToAddress } from "../account-mail/mail-limits.ts";
import { readRedirectTarget, withFragment } from "../account-mail/redirect-target.ts";
import type { AuthContext, Endpoints } from "../auth-context.ts";
import { confirmEmailChange } from "../email-change.ts";
import { normalizeEmail } from "../normalize-email.ts";
import { refusals } from "../refusals.ts";
import { queryText, readBody, text } from "../request-input.ts";
import { type OpenSession, openSession } from "../sessions/session-store.ts";
import { sessionJson } from "../tokens/access-token.ts";
import { deleteOneTimeTokens, matchCode, type Purpose, purposesOf, spendToken } from "../tokens/one-time-tokens.ts";
import { hashOf } from "../tokens/random-tokens.ts";
import { changeUser, type User, unlessConfirmed } from "../users.ts";

const bodySchema = z.object({
  type: text,
  token: text,
  token_hash: text,
  email: text,
  redirect_to: text,
  discard_password: z.boolean().nullish(),
});

/** GET and POST /verify (docs/protocol.md#links-at-the-api, docs/protocol.md#verification-by-a-page). */
export const verify: Endpoints = {
  async "GET /verify"(request, context, reply) {
    const type = queryText(request, "type");
    const token = queryText(request, "token") ?? queryText(request, "token_hash");
    if (!type) throw refusals.noLinkType();
    if (!token) throw refusals.noLinkToken();

    const target = readRedirectTarget(request, context);
    const fragment = await verifyLink(request, context, { type, token }).then(
      async (opened) => (opened ? sessionFragment(context, opened, type) : { message: firstConfirmation }),
      errorFragment,
    );
    return reply.redirect(withFragment(target, fragment), 303);
  },

  async "POST /verify"(request, context) {
    const { type, token, token_hash, email, redirect_to, discard_password } = readBody(request, bodySchema);
    if (!type) throw refusals.noLinkType();
    if (Boolean(token) === Boolean(token_hash)) throw refusals.noLinkToken();
    if (token_hash && (email || redirect_to)) throw refusals.extraFieldsWithTokenHash();

    const discardsPassword = discard_password === true;
    const opened = token_hash
      ? await verifyLink(request, context, { type, token: token_hash, discardsPassword })
      : await verifyCode(request, context, { type, code: token, email: normalizeEmail(email), discardsPassword });
    return opened ? sessionJson(context, opened) : { msg: firstConfirmation, code: "200" };
  },
};

async function verifyLink(
  request: FastifyRequest,
  context: AuthContext,
  { type, token, discardsPassword = false }: { type: string; token: string; discardsPassword?: boolean },
) {
  const mailed = { tokenHash: hashOf(token), purposes: purposesOf(type), discardsPassword };
  return spend(request, context, mailed, refusals.invalidLink);
}

async function verifyCode(
  request: FastifyRequest,
  context: AuthContext,
  { type, code, email, discardsPassword }: { type: string; code: string; email: string; discardsPassword: boolean },
) {
  const purposes = purposesOf(type);
  const tokenHash = await matchCode(context, { email, purposes, code, ip: request.ip });
  if (!tokenHash) throw refusals.invalidCode();
  return spend(request, context, { tokenHash, purposes, discardsPassword }, refusals.invalidCode);
}

function spend(
  request: FastifyRequest,
  context: AuthContext,
  { tokenHash, purposes, discardsPassword }: { tokenHash: Buffer; purposes: Purpose[]; discardsPassword: boolean },
  refuse: () => Refusal,
) {
  return inTransaction(context.owner, async (db) => {
    const spent = await spendToken(db, tokenHash, purposes);
    if (!spent) throw refuse();
    return acceptMail(context, db, request, { ...spent, discardsPassword });
  });
}

interface ProvedMail {
  user: User;
  purpose: Purpose;
  discardsPassword: boolean;
}

/** Returns undefined if a change of the address now waits for the other one of the two addresses. */
async function acceptMail(
  context: AuthContext,
  db: ClientBase,
  request: FastifyRequest,
  { user, purpose, discardsPassword }: ProvedMail,
): Promise<OpenSession | undefined> {
  if (user.is_banned) throw refusals.banned(403);

  const signIn = { method: "otp", ip: request.ip } as const;
  if (purpose === "email_change_current" || purpose === "email_change_new") {
    const changed = await confirmEmailChange(db, user, { ...context, purpose });
    const entry = { action: "user_modified", traits: { email: "changed" } } as const;
    return changed && openSession(db, { user: changed, ...entry, ...signIn });
  }
  const confirmed = await confirmAddress(db, user, { purpose, discardsPassword });
  const action = user.email_confirmed_at ? "login" : "user_signedup";
  return openSession(db, { user: confirmed, action, traits: { provider: "email" }, ...signIn });
}

/** Confirms the address: reading its mails counts as proof of owning it. */
async function confirmAddress(
  db: ClientBase,
  found: User,
  { purpose, discardsPassword }: Pick<ProvedMail, "purpose" | "discardsPassword">,
): Promise<User> {
  // Remove a password from before the address was ever confirmed: a stranger may have signed up with it. A confirmation
  // removes it only on request (docs/protocol.md#an-unproved-password).
  const losesPassword = !found.email_confirmed_at && (purpose === "recovery" || discardsPassword);
  const changes = losesPassword ? { encrypted_password: null } : {};
  const user = await changeUser(db, found, changes, ...unlessConfirmed(found));
  await deleteOneTimeTokens(db, user.id);
  await fillMailsToAddress(db, user.email);
  return user;
}

/** Upstream's words for the first of the two confirmations of a change of the address. */
const firstConfirmation = "Confirmation link accepted. Please proceed to confirm link sent to the other email";

async function sessionFragment(context: AuthContext, opened: OpenSession, type: string) {
  const { user: _user, ...session } = await sessionJson(context, opened);
  return { ...session, expires_at: `${session.expires_at}`, expires_in: `${session.expires_in}`, sb: "", type };
}

/** The page shows the refusal to the person who followed the link. Any other error is answered as JSON. */
function errorFragment(error: unknown): Record<string, string> {
  if (!(error instanceof Refusal)) throw error;
  return { error: "access_denied", error_code: error.code, error_description: error.message, sb: "" };
}
