import type { FastifyInstance } from "fastify";
import { repeatable } from "#backend/database/reconnect";
import type { Database } from "#backend/database/transaction";
import { attempts } from "../audit-log.ts";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { requireUser } from "../sessions/require-user.ts";
import type { AccessClaims } from "../tokens/access-token.ts";

/**
 * The conditions of the indexes `audit_log_entries_attempts_idx` and `audit_log_entries_events_idx`, so that PostgreSQL
 * can use these. The list leaves out plain token refreshes, which the table of a restored backup may hold.
 */
export const auditFilters = {
  attempts: `payload ->> 'action' in ${attempts}`,
  events: `not (payload ->> 'log_type' = 'token' and payload -> 'traits' is null) and payload ->> 'action' not in ${attempts}`,
} as const;

const entriesMax = 50;

/** A flood of attempts must not make the list slow. */
const countedMax = 10_000;
const linesOfAttemptsMax = 10;

/** The latest entries, with all attempts of one kind on one account in one line, so that they cannot hide a success. */
const latest = `
  (select id, created_at, ip_address, payload from auth.audit_log_entries
   where ${auditFilters.events} order by created_at desc, id limit ${entriesMax})
  union all
  (select (array_agg(id order by created_at desc))[1], max(created_at) as created_at,
          case when count(distinct ip_address) = 1 then min(ip_address) else '' end,
          (array_agg(payload order by created_at desc))[1] || case when sum(times) = 1 then '{}' else
            jsonb_build_object('repeats', jsonb_build_object(
              'times', sum(times), 'addresses', count(distinct nullif(ip_address, '')), 'since', min(since))) end
   from (select *, coalesce((payload #>> '{repeats,times}')::integer, 1) as times,
           coalesce((payload #>> '{repeats,since}')::timestamptz, created_at) as since
         from auth.audit_log_entries where ${auditFilters.attempts} order by created_at desc limit ${countedMax}) as attempts
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

/** Refuses a caller who is no admin, or whose session has not used the second factor that it needs. */
async function requireAdmin(db: Database, claims: AccessClaims) {
  const { rows } = await db.query<{ is_admin: boolean; step: string }>(
    // The condition comes before the columns, so the functions see these claims. They end with the statement.
    `select public.has_role(auth.uid(), 'admin') as is_admin, public.second_factor_step() as step
     where set_config('request.jwt.claims', $1, true) is not null`,
    [JSON.stringify(claims)],
  );
  if (!rows[0]?.is_admin) throw refusals.notAdmin();
  if (rows[0].step !== "none") throw refusals.needsSecondFactor.toReadLog();
}
