import type { Pool } from "pg";
import { asCaller, type Claims } from "#server/database/as-caller";
import type { RequestContext } from "#server/database/request-context";
import type { Plan } from "./plan.ts";
import { refusals } from "./refusals.ts";
import { writeSql } from "./write-sql.ts";

export interface Outcome {
  /** The JSON text that PostgreSQL wrote, or null if no rows were requested. */
  body: string | null;
  returned: number;
  total: number | undefined;
}

/**
 * Stage four: runs one statement in one transaction with the caller's rights (docs/protocol.md#transaction-settings).
 */
export function runPlan(pool: Pool, plan: Plan, claims: Claims, request: RequestContext): Promise<Outcome> {
  // In the extended protocol PostgreSQL refuses a text with more than one statement, so an injected second statement
  // could not run.
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
      checkRowCount(plan, outcome);
      return outcome;
    },
    { readOnly: plan.isReadOnly, repeatable: plan.mayRepeat, request },
  );
}

/** Throws inside the transaction, so that a write with the wrong number of rows is rolled back. */
function checkRowCount(plan: Plan, { returned, total }: Outcome) {
  if (plan.kind === "read" && total !== undefined && plan.offset > total)
    throw refusals.offsetBeyondTotal(plan.offset, total);
  if (plan.isSingle && returned !== 1) throw refusals.notOneRow(returned);
}
