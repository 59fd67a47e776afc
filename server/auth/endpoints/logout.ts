import type { FastifyInstance } from "fastify";
import { inTransaction } from "#server/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";
import { requireUser } from "../sessions/require-user.ts";

/**
 * Deletes sessions of the account $1; their refresh tokens are deleted with them (on delete cascade). It locks the account
 * first, as a verification of the second factor does, which also ends several sessions: two transactions that lock in
 * different orders can deadlock.
 */
const sessionsOfAccount = `
  with account as (select id from auth.users where id = $1 for update)
  delete from auth.sessions where user_id = (select id from account)`;

/** $2 is the caller's session. "global" mentions it, because PostgreSQL refuses a value that no statement uses. */
const scopes = new Map([
  ["global", `${sessionsOfAccount} and $2::uuid is not null`],
  ["local", `${sessionsOfAccount} and id = $2`],
  ["others", `${sessionsOfAccount} and id <> $2`],
]);

/** POST /logout (docs/protocol.md#sign-out). */
export function logout(app: FastifyInstance, context: AuthContext) {
  app.post("/logout", async (request, reply) => {
    const scope = queryText(request, "scope") ?? "global";
    const endSessions = scopes.get(scope);
    if (!endSessions) throw refusals.unknownScope(scope.slice(0, 40));

    const { user, claims } = await requireUser(request, context);
    await inTransaction(context.owner, async (db) => {
      await db.query(endSessions, [user.id, claims.session_id]);
      await writeAuditLog(db, { action: "logout", user, at: context.now(), traits: { scope }, ip: request.ip });
    });
    return reply.code(204).send();
  });
}
