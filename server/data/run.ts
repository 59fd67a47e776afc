import type { Pool } from "pg";
import { asCaller, type Claims } from "#server/database/as-caller";
import type { RequestContext } from "#server/database/request-context";
import type { Plan } from "./plan.ts";
import { refusals } from "./refusals.ts";
import { writeSql } from "./write-sql.ts";

export interface Outcome {
  /** JSON as PostgreSQL wrote it; null where nobody asked for rows. */
  body: string | null;
  returned: number;
  total: number | undefined;
}

/** Stage four: one statement in one transaction with exactly the caller's rights (protocol section 4.1). */
export function runPlan(pool: Pool, plan: Plan, claims: Claims, request: RequestContext): Promise<Outcome> {
  // `extended`: PostgreSQL itself then refuses a text that holds more than one statement.
  const statement = { ...writeSql(plan), queryMode: "extended" };

  return asCaller(
    pool,
    claims,
    async (db) => {
      const { rows } = await db.query<{ body: string | null; returned: string; total: string | null }>(statement);
      const [row = { body: null, returned: "0", total: null }] = rows;
      const outcome = {
        body: row.body,
        returned: Number(row.returned),
        total: row.total === null ? undefined : Number(row.total),
      };
      refuseWhatWasNotAsked(plan, outcome);
      return outcome;
    },
    { readOnly: plan.isReadOnly, repeatable: plan.mayRepeat, request },
  );
}

/** Thrown inside the transaction, so that a write which answers with the wrong number of rows is undone. */
function refuseWhatWasNotAsked(plan: Plan, { returned, total }: Outcome) {
  if (plan.kind === "read" && total !== undefined && plan.offset > total)
    throw refusals.offsetBeyondTotal(plan.offset, total);
  if (plan.isSingle && returned !== 1) throw refusals.notOneRow(returned);
}
