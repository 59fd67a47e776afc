import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import { inTransaction } from "#backend/database/transaction";
import { admitEmailChange } from "../account-mail/mail-limits.ts";
import { readRedirectTarget } from "../account-mail/redirect-target.ts";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext, Endpoints } from "../auth-context.ts";
import { beginEmailChange } from "../email-change.ts";
import { normalizeEmail, requireEmail } from "../normalize-email.ts";
import { changePassword, hashNewPassword } from "../passwords/password-change.ts";
import { refusals } from "../refusals.ts";
import { readBody, refusePkce, text } from "../request-input.ts";
import { requireLimits } from "../require-limits.ts";
import { requireSecondFactor } from "../second-factor/factors.ts";
import { limitSession, lockSignedIn, requireUser, type SignedIn } from "../sessions/require-user.ts";
import { requireShortMetadata, userJson } from "../user-json.ts";
import { changeUser, type User } from "../users.ts";

const bodySchema = z.object({
  email: text,
  phone: text,
  code_challenge: text,
  password: z.string().nullish(),
  current_password: text,
  data: z.record(z.string(), z.unknown()).nullish(),
  app_metadata: z.unknown().optional(),
});
type ChangeBody = z.output<typeof bodySchema>;

/** GET and PUT /user (docs/protocol.md#auth-api). */
export const user: Endpoints = { "GET /user": readUser, "PUT /user": changeOwnUser };

async function readUser(request: FastifyRequest, context: AuthContext) {
  return userJson((await requireUser(request, context)).user);
}

async function changeOwnUser(request: FastifyRequest, context: AuthContext) {
  const signedIn = await requireUser(request, context);
  const { user, claims } = signedIn;
  const body = readBody(request, bodySchema);
  refusePkce(body);
  refuseFixedFields(body);
  const newEmail = readNewEmail(body, user);
  const requireLevel = (found: SignedIn) => {
    if (newEmail || body.password)
      requireSecondFactor(found.user, found.claims, refusals.needsSecondFactor.toChangeUser);
  };
  requireLevel(signedIn);
  const { ip } = request;
  const sessionId = claims.session_id;
  limitSession(context, sessionId);
  const { password, current_password: currentPassword } = body;
  const change = typeof password === "string" ? { sessionId, password, currentPassword, ip } : undefined;
  const passwordHash = change && (await hashNewPassword(context, { ...change, user }));

  const mailRequest = { mail: "email-change", ip };
  if (newEmail) await requireLimits(context, repeatable(context.owner), ["mail requests"], mailRequest);
  return inTransaction(context.owner, async (db) => {
    const locked = await lockSignedIn(db, signedIn, context);
    requireLevel(locked);
    let changed = locked.user;
    if (changed.encrypted_password !== user.encrypted_password) throw refusals.wrongCurrentPassword();

    if (change && passwordHash) changed = await changePassword(context, db, { ...change, user: changed }, passwordHash);
    if (body.data) {
      const raw_user_meta_data = mergeMetadata(changed.raw_user_meta_data, body.data);
      changed = await changeUser(db, changed, { raw_user_meta_data });
    }
    if (newEmail) {
      await admitEmailChange(context, db, { ip, user: changed, newEmail });
      const redirectTo = readRedirectTarget(request, context).href;
      changed = await beginEmailChange(db, changed, { ...context, newEmail, redirectTo });
    }
    if (passwordHash || body.data || newEmail) {
      const traits = newEmail ? { traits: { email: "requested" } } : {};
      await writeAuditLog(db, { action: "user_modified", user: changed, ...traits, ip });
    }
    return userJson(changed);
  });
}

function refuseFixedFields({ phone, app_metadata }: ChangeBody) {
  if (app_metadata !== undefined && app_metadata !== null) throw refusals.notAdmin();
  if (phone !== "") throw refusals.notOffered("phone numbers");
}

/** The address that the account is to have; undefined if the request names none, or the own one. */
function readNewEmail({ email }: ChangeBody, user: User): string | undefined {
  return email === "" || normalizeEmail(email) === user.email ? undefined : requireEmail(email);
}

/** Merges `data` into `before` key by key; a null value removes its key. */
function mergeMetadata(before: Record<string, unknown>, data: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries({ ...before, ...data }).filter(([, value]) => value !== null);
  const metadata = Object.fromEntries(entries);
  requireShortMetadata(metadata);
  return metadata;
}
