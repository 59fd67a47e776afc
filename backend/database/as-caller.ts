import type { ClientBase, Pool, QueryResult } from "pg";
import { inTransaction, queryInTransaction, repeatAfterDeadlock, type Statement } from "./transaction.ts";

/** The claims of a verified token, or `{ role: "anon" }`. Row-level security reads them through `auth.uid()`. */
export interface Claims {
  role: "anon" | "authenticated" | "service_role";
  sub?: string;
  [claim: string]: unknown;
}

/**
 * The settings `request.*` of a transaction (docs/protocol.md#transaction-settings). Header names are in lower case.
 */
interface RequestContext {
  method: string;
  path: string;
  headers: Readonly<Record<string, string>>;
}

export interface CallerOptions {
  readOnly?: boolean;
  request?: RequestContext;
}

const noRequest: RequestContext = { method: "", path: "", headers: {} };

/** A visitor's statement must not hold a connection for long (docs/protocol.md#statement-timeouts). */
const statementTimeout = { anon: "3s", authenticated: "8s", service_role: "8s" } as const;

/**
 * Runs one statement that may be committed twice, as a read may, with the rights of this caller: as a transaction of one
 * round trip, which is repeated if the connection breaks.
 */
export function queryAsCaller<Row extends object>(
  pool: Pool,
  claims: Claims,
  statement: Statement,
  options: CallerOptions = {},
): Promise<QueryResult<Row>> {
  const settings = settingsOf(claims, options);
  return repeatAfterDeadlock(() => queryInTransaction<Row>(pool, settings, statement));
}

/** Runs `work` in one transaction with the rights of this caller (docs/protocol.md#transaction-settings). */
export function asCaller<T>(
  pool: Pool,
  claims: Claims,
  work: (db: ClientBase) => Promise<T>,
  options: CallerOptions = {},
): Promise<T> {
  const settings = settingsOf(claims, options);
  // Two requests that insert the same addresses in opposite orders can end in a deadlock.
  return repeatAfterDeadlock(() => inTransaction(pool, work, settings));
}

// `true` makes every setting end with the transaction: the next caller on this connection must not inherit it. No
// `set_config` returns null, so each is called, and no row is returned.
const settingsWith = (more: string) => `
  select from (values ('search_path', 'public, extensions'), ('timezone', 'UTC'), ('statement_timeout', $1), ('role', $2),
    ('request.jwt.claims', $3), ('request.method', $4), ('request.path', $5), ('request.headers', $6)${more}) as settings (name, value)
  where set_config(name, value, true) is null`;
const settingsText = settingsWith("");
const readOnlySettingsText = settingsWith(", ('transaction_read_only', 'on')");

function settingsOf(claims: Claims, { readOnly = false, request = noRequest }: CallerOptions) {
  const { method, path, headers } = request;
  return {
    name: readOnly ? "read-only settings" : "settings",
    text: readOnly ? readOnlySettingsText : settingsText,
    values: [statementTimeout[claims.role], claims.role, JSON.stringify(claims), method, path, JSON.stringify(headers)],
  };
}
