import type { Pool, QueryResult } from "pg";
import { asCaller, type Claims, queryAsCaller, type RequestContext } from "#backend/database/as-caller";
import type { DataRequest } from "./parse-request.ts";
import { refusals } from "./refusals.ts";
import type { Statement } from "./write-sql.ts";

export interface Outcome {
  /** The JSON text that PostgreSQL wrote, or null if no rows were requested. */
  body: string | null;
  /** How many rows were read, up to the limit, or changed. */
  returned: number;
  /** How many rows match, if the request asks for it. */
  total: number | null;
}

/**
 * Stage three: runs one statement in one transaction with the caller's rights (docs/protocol.md#transaction-settings).
 */
export async function runStatement(
  pool: Pool,
  request: DataRequest,
  { text, values, isReadOnly: readOnly, mayRepeat, contacts }: Statement,
  claims: Claims,
  context: RequestContext,
): Promise<Outcome> {
  const options = { readOnly, mayRepeat, request: context };
  if (readOnly || !isCheckedBeforeCommit(request)) {
    const statement = { text, values, ...(contacts > 0 && { name: "contact" }) };
    const query = queryAsCaller<Outcome>(pool, claims, statement, options);
    return checked(request, await (readOnly ? query.catch(refuseWrite) : query));
  }

  // In the extended protocol PostgreSQL refuses a text with more than one statement, so an injected second statement
  // could not run.
  const statement = { text, values, queryMode: "extended" };
  return asCaller(pool, claims, async (db) => checked(request, await db.query<Outcome>(statement)), options);
}

/** A request that may only read has written. Any other write fails in the same way on a server that is read-only. */
function refuseWrite(error: Error & { code?: string }): never {
  throw error.code === "25006" ? refusals.writeOfReader(error) : error;
}

/** Whether a wrong number of rows must roll the transaction back. */
export function isCheckedBeforeCommit({ isSingle, affectedMax, countsAll, target }: DataRequest): boolean {
  return isSingle || affectedMax !== undefined || (target.kind === "function" && countsAll);
}

/** Throws if the number of rows is wrong. For a write this is inside its transaction, which is then rolled back. */
function checked({ offset, isSingle, affectedMax }: DataRequest, { rows }: QueryResult<Outcome>): Outcome {
  const { body, returned, total } = rows[0] ?? { body: null, returned: 0, total: null };
  if (total !== null && offset > total) throw refusals.offsetBeyondTotal(offset, total);
  if (isSingle && returned !== 1) throw refusals.notOneRow(returned);
  if (affectedMax !== undefined && returned > affectedMax) throw refusals.tooManyAffected(returned);
  return { body, returned, total };
}
