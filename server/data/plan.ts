import type { Column, Snapshot, Table } from "./catalogue.ts";
import type { DataRequest } from "./parse.ts";
import type { Payload } from "./parse-body.ts";
import type { Filter } from "./parse-filter.ts";
import type { OrderTerm, SelectItem } from "./parse-select.ts";
import { type Call, planCall } from "./plan-call.ts";
import { refusals } from "./refusals.ts";

/**
 * A column of the result, or all of them. "all" becomes `*` in SQL: the result then also has the columns that were
 * added after the catalogue was cached.
 */
export type Output = "all" | { column: string; alias: string; cast: string | undefined };

interface PlanBase {
  /** The result must have exactly one row. Otherwise the request is refused and its transaction rolled back. */
  isSingle: boolean;
  /** The maximum number of rows that the request may change, with the same consequence. */
  affectedMax?: number | undefined;
  isReadOnly: boolean;
  /**
   * Whether the plan may run again after a lost connection: a second run stores nothing more and gives the same answer.
   */
  mayRepeat: boolean;
  countsAll: boolean;
  /** Whether the rows are those of the table of contacts, which have limits and rights of their own. */
  isContacts: boolean;
}

export interface InsertPlan extends PlanBase {
  kind: "insert";
  table: Table;
  columns: readonly Column[];
  /** A JSON array of objects. */
  rows: string;
  rowCount: number;
  /** If a row has no key for a column: true stores the column's default, false stores null. */
  fillsDefaults: boolean;
  /** With "nothing" an insert needs no right to read the table (docs/protocol.md#insert-answers). */
  returning: "nothing" | "key" | readonly Output[];
}

interface ChangePlan extends PlanBase {
  table: Table;
  /** At least one, unless an update has no columns. */
  filters: readonly Filter[];
  /** With "nothing" the change needs the right to read only the columns of the filters. */
  returning: "nothing" | readonly Output[];
}

export interface UpdatePlan extends ChangePlan {
  kind: "update";
  /** Without columns no row is changed. */
  columns: readonly Column[];
  /** A JSON array of one object with the new values. */
  rows: string;
}

export interface DeletePlan extends ChangePlan {
  kind: "delete";
}

export interface ReadPlan extends PlanBase {
  kind: "read";
  source: { kind: "table"; table: Table } | { kind: "call"; call: Call };
  output: readonly Output[];
  filters: readonly Filter[];
  order: readonly OrderTerm[];
  offset: number;
  limit: number;
  /** Whether the answer has a body. It has none for HEAD. */
  wantsBody: boolean;
}

export type WritePlan = InsertPlan | UpdatePlan | DeletePlan;
export type Plan = WritePlan | ReadPlan;

/**
 * The maximum number of rows in one answer. Further rows are left out without an error, as in hosted Supabase projects
 * (docs/protocol.md#row-window).
 */
const rowsMax = 1000;

/**
 * The maximum number of rows in one insert. PostgREST has no such limit. But a trigger may take a lock for each row,
 * and PostgreSQL has room for only some thousand locks of all callers together. One body (1 MiB) of short rows would
 * use them up. Contacts of visitors have a lower limit, in SQL (docs/protocol.md#contact-rules).
 */
const insertedRowsMax = 1000;

/** Stage two. Every name in a plan comes from the catalogue. */
export function planRequest(request: DataRequest, snapshot: Snapshot): Plan {
  const { kind, schema, name } = request.target;
  if (kind === "function") return planFunction(request, planCall(request, snapshot.findRoutines(schema, name)));

  const table = snapshot.findTable(schema, name);
  if (!table) throw refusals.unknownTable(schema, name);
  if (request.method === "DELETE") return planDelete(request, table);
  if (request.payload) return (request.method === "PATCH" ? planUpdate : planInsert)(request, table, request.payload);
  return planRead(request, { kind: "table", table }, table, true);
}

function planFunction(request: DataRequest, call: Call): ReadPlan {
  const isReadOnly = request.method !== "POST" || !call.routine.isVolatile;
  const plan = planRead(request, { kind: "call", call }, call.routine, isReadOnly);
  return { ...plan, affectedMax: affectedMaxOf(request) };
}

function planRead(
  request: DataRequest,
  source: ReadPlan["source"],
  named: Pick<Table, "schema" | "name" | "columns">,
  isReadOnly: boolean,
): ReadPlan {
  checkFilters(request.filters, named);
  for (const { column } of request.order) checkReadable(column, named);
  return {
    kind: "read",
    source,
    output: planOutput(request.select, named),
    filters: request.filters,
    order: request.order,
    offset: request.window.offset,
    limit: Math.min(request.window.limit ?? rowsMax, rowsMax),
    wantsBody: request.method !== "HEAD",
    isReadOnly,
    mayRepeat: isReadOnly,
    ...baseOf(request),
  };
}

function planInsert(request: DataRequest, table: Table, payload: Payload): InsertPlan {
  const columns = planColumns(request, table, payload);
  if (payload.rowCount > insertedRowsMax) throw refusals.tooManyRows(insertedRowsMax);
  const returning = planReturning(request, table);
  const common = baseOf(request);
  return {
    kind: "insert",
    table,
    rowCount: payload.rowCount,
    columns,
    rows: arrayOf(payload),
    fillsDefaults: request.preferences.missing === "default",
    returning,
    isReadOnly: false,
    // A trigger drops a contact that was already stored in the last 30 seconds, so this insert may run twice. It must
    // have a single row, because the trigger compares rows one by one. Its answer must contain neither rows nor a
    // count, because a repeated insert stores no row that it could return or count.
    mayRepeat:
      common.isContacts && payload.rowCount === 1 && returning === "nothing" && !common.isSingle && !common.countsAll,
    ...common,
  };
}

function planUpdate(request: DataRequest, table: Table, payload: Payload): UpdatePlan {
  const columns = planColumns(request, table, payload);
  const change = planChange(request, table);
  if (columns.length > 0 && change.filters.length === 0) throw refusals.noFilter("UPDATE");
  return { kind: "update", columns, rows: arrayOf(payload), ...change };
}

function arrayOf({ json, isArray }: Payload): string {
  return isArray ? json : `[${json}]`;
}

function planDelete(request: DataRequest, table: Table): DeletePlan {
  const change = planChange(request, table);
  if (change.filters.length === 0) throw refusals.noFilter("DELETE");
  return { kind: "delete", ...change };
}

/** A change must not be repeated: in between, another caller may have changed what the filters select. */
function planChange(request: DataRequest, table: Table): ChangePlan {
  checkFilters(request.filters, table);
  return {
    table,
    filters: request.filters,
    returning: request.preferences.return === "representation" ? planOutput(request.select, table) : "nothing",
    isReadOnly: false,
    mayRepeat: false,
    affectedMax: affectedMaxOf(request),
    ...baseOf(request),
  };
}

function planColumns({ columns }: DataRequest, table: Table, { keys }: Payload): Column[] {
  const names = columns ?? keys;
  if (!names) throw refusals.differentKeys();
  return names.map((name) => {
    const column = table.columns.get(name);
    if (!column) throw refusals.unknownColumnToWrite(table.name, name);
    return column;
  });
}

function affectedMaxOf({ preferences }: DataRequest): number | undefined {
  return preferences.handling === "strict" ? preferences["max-affected"] : undefined;
}

function planReturning(request: DataRequest, table: Table): InsertPlan["returning"] {
  if (request.preferences.return === "representation") return planOutput(request.select, table);
  return request.preferences.return === "headers-only" && table.primaryKey.length > 0 ? "key" : "nothing";
}

function baseOf({ media, preferences, target }: DataRequest) {
  return {
    isContacts: target.kind === "table" && target.schema === "public" && target.name === "contacts",
    isSingle: media === "application/vnd.pgrst.object+json",
    // A client may also ask for a planned or an estimated count. It gets the exact count, because the planner's estimate
    // is wrong under row-level security (docs/protocol.md#counts).
    countsAll: preferences.count !== undefined,
  };
}

function planOutput(select: readonly SelectItem[], table: Pick<Table, "schema" | "name" | "columns">): Output[] {
  return select.map((item) => {
    if (item.kind === "all") return "all";
    if (item.kind === "relation") throw refusals.unknownRelationship(table.name, item.relation, table.schema);
    checkReadable(item.column, table);
    return { column: item.column, alias: item.alias ?? item.column, cast: item.cast && checkType(item.cast) };
  });
}

function checkFilters(filters: readonly Filter[], table: Pick<Table, "name" | "columns">) {
  for (const filter of filters) {
    if ("filters" in filter) checkFilters(filter.filters, table);
    else checkReadable(filter.column, table);
  }
}

function checkReadable(column: string, table: Pick<Table, "name" | "columns">) {
  if (!table.columns.has(column)) throw refusals.unknownColumn(table.name, column);
}

/**
 * The types that a result may be cast to. These and the quoted aliases are the only names in a statement that do not
 * come from the catalogue.
 */
const castable = new Set(
  (
    "bool,boolean,int2,int4,int8,smallint,integer,int,bigint,float4,float8,real,double precision,numeric,text,varchar," +
    "uuid,date,time,timestamp,timestamptz,interval,json,jsonb"
  ).split(","),
);

function checkType(type: string): string {
  if (!castable.has(type)) throw refusals.unknownType(type);
  return type;
}
