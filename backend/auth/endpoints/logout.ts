import { inTransaction } from "#backend/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { Endpoints } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";
import { requireUser } from "../sessions/require-user.ts";
import { endSessions } from "../sessions/session-store.ts";

/** Which sessions a sign-out ends, given the own one. */
const scopes = new Map<string, (own: string) => { only?: string; except?: string }>([
  ["global", () => ({})],
  ["local", (own) => ({ only: own })],
  ["others", (own) => ({ except: own })],
]);

/** POST /logout (docs/protocol.md#auth-api). */
export const logout: Endpoints = {
  async "POST /logout"(request, context, reply) {
    const scope = queryText(request, "scope") ?? "global";
    const ended = scopes.get(scope);
    if (!ended) throw refusals.unknownScope(scope.slice(0, 40));

    const { user, claims } = await requireUser(request, context);
    await inTransaction(context.owner, async (db) => {
      await endSessions(db, user.id, ended(claims.session_id));
      await writeAuditLog(db, { action: "logout", user, traits: { scope }, ip: request.ip });
    });
    return reply.code(204).send();
  },
};
