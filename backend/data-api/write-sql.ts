import { escapeIdentifier, escapeLiteral } from "pg";
import type { Claims } from "#backend/database/as-caller";
import type { Column, Routine, Snapshot, Table } from "./catalogue.ts";
import { chooseFunction, writeCall } from "./function-call.ts";
import type { Payload } from "./parse-body.ts";
import type { DataRequest } from "./parse-request.ts";
import type { OrderTerm } from "./parse-select.ts";
import { refusals } from "./refusals.ts";
import { type Bind, columnOf, definitionsOf, nameOf, namesOf, writeFilter } from "./write-filter.ts";

/** A statement returns one row, the `Outcome`. */
export interface Statement {
  text: string;
  values: unknown[];
  isReadOnly: boolean;
  /** Whether it may run again after a lost connection: a second run stores nothing more and gives the same answer. */
  mayRepeat: boolean;
  /** How many contacts it inserts. */
  contacts: number;
  /** The called function returns void, so the answer has no body. */
  isVoid: boolean;
}

interface Context {
  request: DataRequest;
  role: Claims["role"];
  bind: Bind;
}

/**
 * The maximum number of rows in one answer. Further rows are left out without an error, as in hosted Supabase projects
 * (docs/protocol.md#row-window).
 */
const rowsMax = 1000;

/** Stage two. Every name in a statement comes from the catalogue, and every value of the caller is a parameter. */
export function writeSql(request: DataRequest, snapshot: Snapshot, role: Claims["role"]): Statement {
  const values: unknown[] = [];
  const context: Context = { request, role, bind: (value) => `$${values.push(value)}` };
  const { method, target, payload } = request;
  const reading = { values, isReadOnly: true, mayRepeat: true, contacts: 0, isVoid: false };
  const writing = { ...reading, isReadOnly: false, mayRepeat: false };

  if (target.kind === "function") {
    const routine = chooseFunction(request, snapshot.routines);
    const mode = method === "POST" && routine.isVolatile ? writing : reading;
    return { ...mode, isVoid: routine.returns === "nothing", text: writeRead(context, routine) };
  }

  const table = snapshot.tables.find(({ name }) => name === target.name);
  if (!table) throw refusals.unknownTable(target.name);
  if (method === "DELETE") return { ...writing, text: writeDelete(context, table) };
  if (!payload) return { ...reading, text: writeRead(context, table) };
  if (method === "PATCH") return { ...writing, text: writeUpdate(context, table, payload) };

  const text = writeInsert(context, table, payload);
  if (!isContacts(table)) return { ...writing, text };
  return { ...writing, text, contacts: payload.rowCount, mayRepeat: mayRepeatContact(request, payload) };
}

function isContacts(source: Table): boolean {
  return source.name === "contacts";
}

/**
 * A trigger drops a contact that was stored in the last 30 seconds, so the insert of a single one may run twice. The second
 * run stores no row that it could return or count.
 */
function mayRepeatContact({ returnsRows, isSingle, countsAll }: DataRequest, { rowCount }: Payload): boolean {
  return rowCount === 1 && !returnsRows && !isSingle && !countsAll;
}

function writeRead(context: Context, source: Table | Routine): string {
  const { request, bind } = context;
  const routine = "parameters" in source ? source : undefined;
  // The call is materialized, because a count reads its result a second time, but the function must run only once.
  const called = routine ? `called as materialized (${writeCall(routine, request, bind)}), ` : "";
  const from = `from ${routine ? "called" : nameOf(source)} as source${writeConditions(context, source)}`;
  const order = request.order.map((term) => writeOrder(term, source)).join(", ");
  const window = ` limit ${bind(Math.min(request.limit ?? rowsMax, rowsMax))} offset ${bind(request.offset)}`;

  return `with ${called}chosen as (
  select ${writeOutput(request, source)} ${from}${order && ` order by ${order}`}${window}
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

function writeInsert(context: Context, table: Table, payload: Payload): string {
  const rows = writeRows(context, table, payload);
  return writeChange(context, table, `insert into ${nameOf(table)} as source ${rows} returning`);
}

function writeUpdate(context: Context, table: Table, payload: Payload): string {
  const columns = columnsToWrite(context.request, table, payload);
  // SQL has no update of no columns.
  if (columns.length === 0) return writeChange(context, table, "select", `from ${nameOf(table)} as source where false`);
  if (context.request.filters.length === 0) throw refusals.noFilter("UPDATE");

  const names = namesOf(columns);
  const given = `json_to_recordset(${context.bind(arrayOf(payload))}::json) as given (${definitionsOf(columns)})`;
  const update = `update ${nameOf(table)} as source set (${names}) = (select ${names} from ${given})`;
  return writeChange(context, table, `${update}${writeConditions(context, table)} returning`);
}

function writeDelete(context: Context, table: Table): string {
  if (context.request.filters.length === 0) throw refusals.noFilter("DELETE");
  const conditions = writeConditions(context, table);
  return writeChange(context, table, `delete from ${nameOf(table)} as source${conditions} returning`);
}

/** Without rows in the answer, an insert needs no right to read the table (docs/protocol.md#insert-answers). */
function writeChange({ request }: Context, table: Table, before: string, after = ""): string {
  const body = request.returnsRows ? asJson("written.*", request.isSingle) : "null";
  return `with written as (
  ${before} ${request.returnsRows ? writeOutput(request, table) : "1"} ${after}
)
select ${body}::text as body, count(*)::int as returned, ${request.countsAll ? "count(*)::int" : "null"} as total from written`;
}

function columnsToWrite({ columns }: DataRequest, table: Table, { keys }: Payload): Column[] {
  const names = columns ?? keys;
  if (!names) throw refusals.differentKeys();
  return names.map((name) => {
    const column = table.columns.find((each) => each.name === name);
    if (!column) throw refusals.unknownColumnToWrite(table.name, name);
    return column;
  });
}

/**
 * PostgreSQL makes rows from the JSON and converts the values to the columns' types. It ignores keys that are not in
 * `columns`.
 */
function writeRows({ request, bind }: Context, table: Table, payload: Payload): string {
  const columns = columnsToWrite(request, table, payload);
  const json = `${bind(arrayOf(payload))}::json`;
  if (columns.length === 0) return `select from json_array_elements(${json})`;

  const names = namesOf(columns);
  const definitions = definitionsOf(columns);
  if (!request.fillsDefaults)
    return `(${names}) select ${names} from json_to_recordset(${json}) as given (${definitions})`;
  return `(${names}) select ${columns.map(valueOrDefault).join(", ")}
  from json_array_elements(${json}) as element, json_to_record(element) as given (${definitions})`;
}

/**
 * A missing key becomes the column's default, and a null that was sent stays null. The operator `->` tells them apart:
 * it returns SQL's null for a missing key and JSON's null for a null that was sent.
 */
function valueOrDefault({ name, type, default: expression }: Column): string {
  const given = `given.${escapeIdentifier(name)}`;
  if (expression === null) return given;
  return `case when element -> ${escapeLiteral(name)} is null then (${expression})::${type} else ${given} end`;
}

function arrayOf({ json, isArray }: Payload): string {
  return isArray ? json : `[${json}]`;
}

/**
 * Returns a where clause, or an empty text. The condition without a column keeps PostgreSQL from reading all contacts for
 * an account that may read none (docs/protocol.md#exposed-relations).
 */
function writeConditions({ request, role, bind }: Context, source: Table): string {
  const conditions = request.filters.map((filter) => writeFilter(filter, source, bind));
  if (role === "authenticated" && request.target.kind === "table" && isContacts(source))
    conditions.unshift("(select public.is_contact_reader())");
  return conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
}

function writeOutput({ select }: DataRequest, source: Table): string {
  return select
    .map((item) => {
      if (item === "all") return "source.*";
      if (item.cast !== undefined && !castable.test(item.cast)) throw refusals.unknownType(item.cast);
      const cast = item.cast === undefined ? "" : `::${item.cast}`;
      return `${columnOf(source, item.column)}${cast} as ${escapeIdentifier(item.alias)}`;
    })
    .join(", ");
}

/** These types and the quoted aliases are the only names in a statement that do not come from the catalogue. */
const castable =
  /^(bool|boolean|int[248]?|smallint|integer|bigint|float[48]|real|double precision|numeric|text|varchar|uuid|date|time|timestamp|timestamptz|interval|jsonb?)$/;

function writeOrder({ column, direction, nulls }: OrderTerm, source: Table): string {
  return `${columnOf(source, column)} ${direction}${nulls ? ` nulls ${nulls}` : ""}`;
}
