import { escapeIdentifier } from "pg";
import type { Column, Routine, Snapshot, Table } from "./catalogue.ts";
import { chooseFunction, writeCall, writeGiven } from "./function-call.ts";
import type { DataRequest, Payload } from "./parse-request.ts";
import { refusals } from "./refusals.ts";
import { type Scanner, scanList } from "./scanner.ts";
import { type Names, writeFilter } from "./write-filter.ts";

/** A statement returns one row, the `Outcome`. */
export interface Statement {
  text: string;
  values: unknown[];
  isReadOnly: boolean;
  /** The called function returns void, so the answer has no body. */
  isVoid: boolean;
}

interface Context extends Names {
  request: DataRequest;
  /** The name in SQL of what is read or changed. Its columns are named `source.…`. */
  relation: string;
}

/** Stage two. Every name in a statement comes from the catalogue, and every value of the caller is a parameter. */
export function writeSql(request: DataRequest, { tables, routines }: Snapshot): Statement {
  const { method, target, payload } = request;
  const values: unknown[] = [];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const contextOf = (source: Table, relation: string): Context => ({
    ...{ request, relation, bind },
    columnOf: (name) => {
      if (!source.columns.some((column) => column.name === name)) throw refusals.unknownColumn(source.name, name);
      return `source.${escapeIdentifier(name)}`;
    },
  });

  if (target.kind === "function" && payload) {
    const routine = chooseFunction(target.name, payload, routines);
    const call = writeCall(routine, payload, bind);
    const text = writeRead(contextOf(routine, "called"), routine, call);
    return { text, values, isReadOnly: !routine.isVolatile, isVoid: routine.returns === "nothing" };
  }

  const table = tables.find(({ name }) => name === target.name);
  if (!table) throw refusals.unknownTable(target.name);
  const context = contextOf(table, `"public".${escapeIdentifier(table.name)}`);
  const text =
    method === "DELETE" ? writeDelete(context) : payload ? writeChange(context, table, payload) : writeRead(context);
  return { text, values, isReadOnly: method === "GET" || method === "HEAD", isVoid: false };
}

function writeRead(context: Context, routine?: Routine, call?: string): string {
  const { request, relation, bind } = context;
  // The call is materialized, because a count reads its result a second time, but the function must run only once.
  const called = call ? `called as materialized (${call}), ` : "";
  const from = `from ${relation} as source${writeConditions(context)}`;
  const order = request.order && ` order by ${scanList(request.order, "order", (item) => orderTerm(item, context))}`;
  return `with ${called}chosen as (
  select ${writeOutput(context)} ${from}${order} limit ${bind(request.limit)} offset ${bind(request.offset)}
)
select ${writeBody(request, routine)}::text as body, count(*)::int as returned,
    ${request.countsAll ? `(select count(*)::int ${from})` : "null"} as total
  from chosen`;
}

function writeBody({ method, isSingle }: DataRequest, routine: Routine | undefined): string {
  const { returns = "rows", isSet = true } = routine ?? {};
  if (method === "HEAD" || returns === "nothing") return "null";
  return asJson(returns === "value" ? "chosen.value" : "chosen.*", isSingle || !isSet);
}

/** Callers pass `chosen.*` and not `chosen`, because `chosen` would mean a column of that name, if there is one. */
function asJson(rows: string, asOne: boolean): string {
  return asOne ? `(json_agg(${rows}) -> 0)` : `coalesce(json_agg(${rows}), '[]')`;
}

function writeDelete(context: Context): string {
  if (context.request.filters.length === 0) throw refusals.noFilter("DELETE");
  return writeReturning(context, `delete from ${context.relation} as source${writeConditions(context)}`);
}

/**
 * PostgreSQL makes rows from the JSON and converts the values to the columns' types. It ignores keys that are not in
 * `columns`, and a missing key becomes null.
 */
function writeChange(context: Context, table: Table, payload: Payload): string {
  const { request, relation, bind } = context;
  const columns = columnsToWrite(request, table, payload);
  const names = columns.map(({ name }) => escapeIdentifier(name)).join(", ");
  const given = writeGiven(columns, bind(payload.json));
  if (request.method === "POST") {
    const rows = names === "" ? `select ${given}` : `(${names}) select ${names} ${given}`;
    return writeReturning(context, `insert into ${relation} as source ${rows}`);
  }
  if (request.filters.length === 0) throw refusals.noFilter("UPDATE");
  // SQL has no update of no columns.
  if (names === "") throw refusals.invalidJson();
  const change = `update ${relation} as source set (${names}) = (select ${names} ${given})`;
  return writeReturning(context, change + writeConditions(context));
}

/** In the order of the table, so that the order of a body's keys makes no other statement. */
function columnsToWrite({ columns }: DataRequest, table: Table, { keys }: Payload): readonly Column[] {
  const names = columns ? scanList(columns, "columns parameter", (scanner) => scanner.name()) : keys;
  const chosen = table.columns.filter(({ name }) => names.includes(name));
  const unknown = names.find((name) => !chosen.some((column) => column.name === name));
  if (unknown !== undefined) throw refusals.unknownColumnToWrite(table.name, unknown);
  return chosen;
}

/** Without rows in the answer, an insert needs no right to read the table (docs/protocol.md#insert-answers). */
function writeReturning(context: Context, change: string): string {
  const { returnsRows, isSingle, countsAll } = context.request;
  return `with written as (
  ${change} returning ${returnsRows ? writeOutput(context) : "1"}
)
select ${returnsRows ? asJson("written.*", isSingle) : "null"}::text as body, count(*)::int as returned,
    ${countsAll ? "count(*)::int" : "null"} as total
  from written`;
}

/** Returns a where clause, or an empty text. */
function writeConditions({ request, ...names }: Context): string {
  const conditions = request.filters.map(([name, text]) => writeFilter(name, text, names));
  return conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
}

function writeOutput({ request, columnOf }: Context): string {
  const items = scanList(request.select, "select parameter", (scanner) => {
    if (scanner.take("*")) return "source.*";
    const name = scanner.name();
    if (scanner.match(/[:.!(]|->/y)) throw refusals.notPlainColumn();
    return columnOf(name);
  });
  return items.join(", ");
}

function orderTerm(scanner: Scanner, { columnOf }: Context): string {
  const column = columnOf(scanner.name());
  const direction = scanner.match(/\.(?:asc|desc)(?![a-z])/y)?.slice(1) ?? "asc";
  const nulls = scanner.match(/\.nulls(?:first|last)/y)?.replace(".nulls", " nulls ") ?? "";
  return `${column} ${direction}${nulls}`;
}
