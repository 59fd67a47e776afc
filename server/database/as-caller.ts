import type { ClientBase, Pool } from "pg";
import type { RequestContext } from "./request-context.ts";
import { inTransaction, repeatAfterDeadlock, type TransactionOptions } from "./transaction.ts";

/** The claims of a verified token, or `{ role: "anon" }`. Row-level security reads them through `auth.uid()`. */
export interface Claims {
  role: "anon" | "authenticated" | "service_role";
  sub?: string;
  [claim: string]: unknown;
}

const noRequest: RequestContext = { method: "", path: "", headers: {} };

/** A visitor's statement must not hold a connection for long (docs/protocol.md#statement-timeouts). */
const statementTimeout = { anon: "3s", authenticated: "8s", service_role: "8s" } as const;

/** Runs `work` in one transaction with the rights of this caller (docs/protocol.md#transaction-settings). */
export function asCaller<T>(
  pool: Pool,
  claims: Claims,
  work: (db: ClientBase) => Promise<T>,
  options: { readOnly?: boolean; request?: RequestContext } & Pick<TransactionOptions, "repeatable"> = {},
): Promise<T> {
  const { readOnly = false, request = noRequest, repeatable = false } = options;
  const { method, path, headers } = request;

  const transaction: TransactionOptions = {
    begin: readOnly ? "begin read only" : "begin",
    repeatable,
    // `true` makes every setting end with the transaction: the next caller on this connection must not inherit it.
    prepare: (db) =>
      db.query(
        `select set_config('search_path', 'public, extensions', true), set_config('statement_timeout', $1, true),
                set_config('role', $2, true), set_config('request.jwt.claims', $3, true),
                set_config('request.method', $4, true), set_config('request.path', $5, true),
                set_config('request.headers', $6, true), set_config('timezone', 'UTC', true)`,
        [statementTimeout[claims.role], claims.role, JSON.stringify(claims), method, path, JSON.stringify(headers)],
      ),
  };
  // Two requests that insert the same addresses in opposite orders can end in a deadlock.
  return repeatAfterDeadlock(() => inTransaction(pool, work, transaction));
}
