import type { Pool, QueryResult } from "pg";
import { asCaller, type Claims, queryAsCaller } from "#server/database/as-caller";
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

interface Row {
  body: string | null;
  returned: string;
  total: string | null;
}

/**
 * Stage four: runs one statement in one transaction with the caller's rights (docs/protocol.md#transaction-settings).
 */
export async function runPlan(pool: Pool, plan: Plan, claims: Claims, request: RequestContext): Promise<Outcome> {
  const statement = writeSql(plan, claims.role);
  const options = { readOnly: plan.isReadOnly, mayRepeat: plan.mayRepeat, request };
  if (!isCheckedBeforeCommit(plan)) {
    const query = queryAsCaller<Row>(pool, claims, statement, options);
    return checked(plan, await (plan.isReadOnly ? query.catch(refuseWrite) : query));
  }

  // In the extended protocol PostgreSQL refuses a text with more than one statement, so an injected second statement
  // could not run.
  const extended = { ...statement, queryMode: "extended" };
  return asCaller(pool, claims, async (db) => checked(plan, await db.query<Row>(extended)), options);
}

/** A request that may only read has written. Any other write fails in the same way on a server that is read-only. */
function refuseWrite(error: Error & { code?: string }): never {
  throw error.code === "25006" ? refusals.writeOfReader(error) : error;
}

/** Whether a wrong number of rows must roll the transaction back. */
export function isCheckedBeforeCommit({ isReadOnly, isSingle, affectedMax, countsAll, kind }: Plan): boolean {
  if (isReadOnly) return false;
  return isSingle || affectedMax !== undefined || (kind === "read" && countsAll);
}

function checked(plan: Plan, { rows: [row] }: QueryResult<Row>): Outcome {
  const outcome = {
    body: row?.body ?? null,
    returned: Number(row?.returned ?? 0),
    total: row?.total == null ? undefined : Number(row.total),
  };
  checkRowCount(plan, outcome);
  return outcome;
}

/** Of a write it throws inside the transaction, so that one with the wrong number of rows is rolled back. */
function checkRowCount(plan: Plan, { returned, total }: Outcome) {
  if (plan.kind === "read" && total !== undefined && plan.offset > total)
    throw refusals.offsetBeyondTotal(plan.offset, total);
  if (plan.isSingle && returned !== 1) throw refusals.notOneRow(returned);
  if (plan.affectedMax !== undefined && returned > plan.affectedMax) throw refusals.tooManyAffected(returned);
}
