import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { repeatable } from "#server/database/reconnect";
import { inTransaction } from "#server/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { plainEmailAddress } from "../email-address.ts";
import { changePassword, requireCurrentPassword } from "../passwords/password-change.ts";
import { hashCaller } from "../passwords/password-hasher.ts";
import { checkNewPassword } from "../passwords/password-rules.ts";
import { refusals } from "../refusals.ts";
import { readBody, refusePkce, text } from "../request-input.ts";
import { requireSecondFactor } from "../second-factor/factors.ts";
import { requireUser } from "../sessions/require-user.ts";
import { clientOf, recordSessionUse } from "../sessions/sessions.ts";
import { requireShortMetadata, userJson } from "../user-json.ts";
import { changeUser, lockUser, type User } from "../users.ts";

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

/** GET and PUT /user (docs/protocol.md#change-of-the-user). */
export function user(app: FastifyInstance, context: AuthContext) {
  app.get("/user", async (request) => {
    const { user, claims } = await requireUser(request, context);
    await recordSessionUse(repeatable(context.owner), claims.session_id, clientOf(request), context.now());
    return userJson(user);
  });

  app.put("/user", async (request) => {
    const { user, claims } = await requireUser(request, context);
    const body = readBody(request, bodySchema);
    refusePkce(body);
    refuseFixedFields(body, user);
    if (body.email || body.password) requireSecondFactor(user, claims, refusals.needsSecondFactor.toChangeUser);
    const { ip } = request;
    const sessionId = claims.session_id;
    const passwordHash = await readNewPassword(request, context, { user, sessionId, body });

    const now = context.now();
    return inTransaction(context.owner, async (db) => {
      let changed = await lockUser(db, user.id);
      // Since the checks above, another request may have deleted the account or changed its password.
      if (!changed) throw refusals.noSuchUser();
      if (changed.encrypted_password !== user.encrypted_password) throw refusals.wrongCurrentPassword();

      if (passwordHash) {
        const { siteUrl } = context;
        const currentPassword = body.current_password;
        changed = await changePassword(
          db,
          { user: changed, sessionId, currentPassword, ip },
          { passwordHash, siteUrl, now },
        );
      }
      if (body.data) {
        const raw_user_meta_data = mergeMetadata(changed.raw_user_meta_data, body.data);
        changed = await changeUser(db, changed, { raw_user_meta_data }, now);
      }
      if (passwordHash || body.data) await writeAuditLog(db, { action: "user_modified", user: changed, at: now, ip });
      return userJson(changed);
    });
  });
}

function refuseFixedFields({ email, phone, app_metadata }: ChangeBody, user: User) {
  if (app_metadata !== undefined && app_metadata !== null) throw refusals.notAdmin();
  if (email !== "" && plainEmailAddress(email) !== user.email)
    throw refusals.notOffered("a change of the email address");
  if (phone !== "") throw refusals.notOffered("phone numbers");
}

/**
 * Returns the hash of the new password, or undefined if the request does not change it
 * (docs/protocol.md#password-change).
 */
async function readNewPassword(
  request: FastifyRequest,
  context: AuthContext,
  { user, sessionId, body }: { user: User; sessionId: string; body: ChangeBody },
): Promise<string | undefined> {
  const { password, current_password: currentPassword } = body;
  if (password === undefined || password === null) return undefined;

  await checkNewPassword(password, { email: user.email, charactersMin: context.passwordCharactersMin });
  await requireCurrentPassword(context, { user, sessionId, currentPassword, ip: request.ip });
  const caller = hashCaller(context, request.ip, true);
  if (await context.hasher.matches(user.encrypted_password, password, caller)) throw refusals.samePassword();
  return context.hasher.hash(password, caller);
}

/** Merges `data` into `before` key by key; a null value removes its key. */
function mergeMetadata(before: Record<string, unknown>, data: Record<string, unknown>): Record<string, unknown> {
  const entries = Object.entries({ ...before, ...data }).filter(([, value]) => value !== null);
  const metadata = Object.fromEntries(entries);
  requireShortMetadata(metadata);
  return metadata;
}
