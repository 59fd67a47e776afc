import type { FastifyInstance } from "fastify";
import { repeatable } from "#server/database/reconnect";
import { requireAdmin } from "../admin-roles.ts";
import { auditFilters } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { requireUser } from "../sessions/require-user.ts";

const entriesMax = 50;

/** A flood of attempts must not make the list slow. */
const countedMax = 10_000;
const linesOfAttemptsMax = 10;

/** The latest entries, and one line for all attempts of one kind on one account, which must not hide a success. */
const latest = `
  (select id, created_at, ip_address, payload from auth.audit_log_entries
   where ${auditFilters.events} order by created_at desc, id limit ${entriesMax})
  union all
  (select (array_agg(id order by created_at desc))[1], max(created_at) as created_at,
          case when count(distinct ip_address) = 1 then min(ip_address) else '' end,
          (array_agg(payload order by created_at desc))[1] || case when count(*) = 1 then '{}' else
            jsonb_build_object('repeats', jsonb_build_object(
              'times', count(*), 'addresses', count(distinct nullif(ip_address, '')), 'since', min(created_at))) end
   from (select * from auth.audit_log_entries
         where ${auditFilters.attempts} order by created_at desc limit ${countedMax}) as attempts
   group by payload ->> 'actor_id', payload ->> 'action', payload -> 'traits' ->> 'reason'
   order by created_at desc limit ${linesOfAttemptsMax})
  order by created_at desc, id`;

/** GET /audit, for admins. Upstream has no such endpoint (docs/protocol.md#audit-list). */
export function audit(app: FastifyInstance, context: AuthContext) {
  app.get("/audit", async (request) => {
    const { claims } = await requireUser(request, context);
    const db = repeatable(context.owner);
    await requireAdmin(db, claims);
    return (await db.query(latest)).rows;
  });
}
