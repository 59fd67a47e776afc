import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import { inTransaction } from "#server/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { plainEmailAddress } from "../email-address.ts";
import { changePassword, requireCurrentPassword } from "../passwords/password-change.ts";
import { checkNewPassword } from "../passwords/password-rules.ts";
import { refusals } from "../refusals.ts";
import { readBody, text } from "../request/request-body.ts";
import { requireUser } from "../sessions/authenticate.ts";
import { requireShortMetadata, userJson } from "../user-json.ts";
import { changeUser, lockUser, type User } from "../users.ts";

const body = z.object({
  email: text,
  phone: text,
  password: z.string().nullish(),
  current_password: text,
  data: z.record(z.string(), z.unknown()).nullish(),
  app_metadata: z.unknown().optional(),
});
type Wish = z.output<typeof body>;

/** PUT /user (protocol section 2.6). */
export function changeOwnUser(app: FastifyInstance, parts: AuthContext) {
  app.put("/user", async (request) => {
    const { user, claims } = await requireUser(request, parts);
    const wish = readBody(request, body);
    refuseWhatStays(wish, user);
    const { ip } = request;
    const sessionId = claims.session_id;
    const passwordHash = await readNewPassword(request, parts, { user, sessionId, wish });

    const now = parts.now();
    return inTransaction(parts.owner, async (db) => {
      let changed = await lockUser(db, user.id);
      // Deleted, or given another password in this very moment: what was checked holds no more.
      if (!changed) throw refusals.noSuchUser();
      if (changed.encrypted_password !== user.encrypted_password) throw refusals.wrongCurrentPassword();

      if (passwordHash) {
        const { siteUrl } = parts;
        changed = await changePassword(db, { user: changed, sessionId, ip }, { passwordHash, siteUrl, now });
      }
      if (wish.data) {
        const raw_user_meta_data = merged(changed.raw_user_meta_data, wish.data);
        changed = await changeUser(db, changed, { raw_user_meta_data }, now);
      }
      if (passwordHash || wish.data) await writeAuditLog(db, { action: "user_modified", user: changed, at: now, ip });
      return userJson(changed);
    });
  });
}

function refuseWhatStays({ email, phone, app_metadata }: Wish, user: User) {
  if (app_metadata !== undefined && app_metadata !== null) throw refusals.notAdmin();
  if (email !== "" && plainEmailAddress(email) !== user.email)
    throw refusals.notOffered("a change of the email address");
  if (phone !== "") throw refusals.notOffered("phone numbers");
}

/** Undefined if the password stays as it is. */
async function readNewPassword(
  request: FastifyRequest,
  parts: AuthContext,
  { user, sessionId, wish }: { user: User; sessionId: string; wish: Wish },
): Promise<string | undefined> {
  const { password, current_password: currentPassword } = wish;
  if (password === undefined || password === null) return undefined;

  await checkNewPassword(password, { email: user.email, charactersMin: parts.passwordCharactersMin });
  await requireCurrentPassword(parts, { user, sessionId, currentPassword, ip: request.ip });
  if (await parts.hasher.matches(user.encrypted_password, password)) throw refusals.samePassword();
  return parts.hasher.hash(password);
}

/** Key by key; null removes one. */
function merged(before: Record<string, unknown>, data: Record<string, unknown>): Record<string, unknown> {
  const kept = Object.entries({ ...before, ...data }).filter(([, value]) => value !== null);
  const metadata = Object.fromEntries(kept);
  requireShortMetadata(metadata);
  return metadata;
}
