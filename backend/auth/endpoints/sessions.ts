import type { FastifyInstance } from "fastify";
import { z } from "zod";
import { repeatable } from "#backend/database/reconnect";
import type { Rows } from "#backend/database/rows";
import { inTransaction } from "#backend/database/transaction";
import { writeAuditLog } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText } from "../request-input.ts";
import { deviceNameOf } from "../sessions/device-name.ts";
import { requireUser } from "../sessions/require-user.ts";
import { endSessions, isExpired, type SessionTimes } from "../sessions/sessions.ts";

/** The most sessions that are listed. A sign-out from all other sessions also ends those that are not listed. */
const sessionsMax = 100;

interface SessionRow extends SessionTimes, Pick<Rows["auth.sessions"], "id" | "ip" | "user_agent"> {
  last_used_at: Date;
}

/**
 * The caller's own sessions, which upstream does not list, and POST /logout (docs/protocol.md#auth-api).
 */
export function sessions(app: FastifyInstance, context: AuthContext) {
  const { owner, now } = context;
  const isOpen = (session: SessionTimes) => !isExpired(session, context, now());

  app.get("/sessions", async (request) => {
    const { user, claims } = await requireUser(request, context);
    const { rows } = await repeatable(owner).query<SessionRow>(
      `select id, created_at, refreshed_at, used_at, greatest(created_at, refreshed_at, used_at) as last_used_at,
         ip, user_agent
       from auth.sessions where user_id = $1
       order by id = $2 desc, last_used_at desc, id limit $3`,
      [user.id, claims.session_id, sessionsMax],
    );
    return rows.filter(isOpen).map(({ id, created_at, last_used_at, ip, user_agent }) => ({
      id,
      created_at,
      last_used_at,
      device: deviceNameOf(user_agent ?? undefined),
      address: ip ?? "",
      current: id === claims.session_id,
    }));
  });

  app.delete<{ Params: { id: string } }>("/sessions/:id", async (request, reply) => {
    const { user } = await requireUser(request, context);
    const id = z.uuid().safeParse(request.params.id);
    if (!id.success) throw refusals.noSuchOwnSession();

    await inTransaction(owner, async (db) => {
      if ((await endSessions(db, user.id, { only: id.data })) === 0) throw refusals.noSuchOwnSession();
      const traits = { scope: "session", session_id: id.data };
      await writeAuditLog(db, { action: "logout", user, at: now(), traits, ip: request.ip });
    });
    return reply.code(204).send();
  });

  app.post("/logout", async (request, reply) => {
    const scope = queryText(request, "scope") ?? "global";
    const ended = scopes.get(scope);
    if (!ended) throw refusals.unknownScope(scope.slice(0, 40));

    const { user, claims } = await requireUser(request, context);
    await inTransaction(owner, async (db) => {
      await endSessions(db, user.id, ended(claims.session_id));
      await writeAuditLog(db, { action: "logout", user, at: now(), traits: { scope }, ip: request.ip });
    });
    return reply.code(204).send();
  });
}

/** Which sessions a sign-out ends, given the caller's own one. */
const scopes = new Map<string, (own: string) => { only?: string; except?: string }>([
  ["global", () => ({})],
  ["local", (own) => ({ only: own })],
  ["others", (own) => ({ except: own })],
]);
