import type { FastifyInstance } from "fastify";
import { repeatable } from "#server/database/reconnect";
import { auditFilter } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { requireUser } from "../sessions/require-user.ts";

const entriesMax = 50;

/**
 * GET /audit returns the latest entries of the audit log to admins. Upstream has no such endpoint
 * (docs/protocol.md#audit-list).
 */
export function audit(app: FastifyInstance, context: AuthContext) {
  app.get("/audit", async (request) => {
    const { user } = await requireUser(request, context);
    const db = repeatable(context.owner);
    const admin = await db.query("select from public.user_roles where user_id = $1 and role = 'admin'", [user.id]);
    if (!admin.rowCount) throw refusals.notAdmin();

    const { rows } = await db.query(
      `select id, created_at, ip_address, payload from auth.audit_log_entries
       where ${auditFilter} order by created_at desc, id limit $1`,
      [entriesMax],
    );
    return rows;
  });
}
