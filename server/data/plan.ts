import type { Column, Routine, Snapshot, Table } from "./catalogue.ts";
import type { DataRequest } from "./parse.ts";
import type { Payload } from "./parse-body.ts";
import type { Filter } from "./parse-filter.ts";
import type { OrderTerm, SelectItem } from "./parse-select.ts";
import { refusals } from "./refusals.ts";

/** A column of the result; "all" is left to PostgreSQL, so that a column younger than the catalogue is in it. */
export type Output = "all" | { column: string; alias: string; cast: string | undefined };

interface Common {
  /** Exactly one row, or the caller is refused and the transaction undone. */
  isSingle: boolean;
  isReadOnly: boolean;
  /** Whether a second run stores and answers the same as the first, so that a lost connection needs no refusal. */
  mayRepeat: boolean;
  countsAll: boolean;
}

export interface InsertPlan extends Common {
  kind: "insert";
  table: Table;
  columns: readonly Column[];
  /** A JSON array of objects. */
  rows: string;
  /** Whether a key that a row lacks means the column's default, not null. */
  fillsDefaults: boolean;
  /** "nothing" asks for no right to read (section 4.2). */
  returning: "nothing" | "key" | readonly Output[];
}

type Parameter = Routine["parameters"][number];

/** One function with the arguments it is given; parameters that are not given have defaults. */
export interface Call {
  routine: Routine;
  given: readonly Parameter[];
  /** A JSON object (POST), or one text per given parameter (GET and HEAD). */
  values: { kind: "json"; json: string } | { kind: "texts"; texts: readonly string[] };
}

export interface ReadPlan extends Common {
  kind: "read";
  source: { kind: "table"; table: Table } | { kind: "call"; call: Call };
  output: readonly Output[];
  filters: readonly Filter[];
  order: readonly OrderTerm[];
  offset: number;
  limit: number;
  /** HEAD wants the headers alone. */
  wantsBody: boolean;
}

export type Plan = InsertPlan | ReadPlan;

/** Hosted projects cut here, silently; a client that wants more asks page by page (section 4.3). */
export const rowsMax = 1000;

/**
 * Upstream has no such limit. A trigger may take a lock for each row, and PostgreSQL holds some thousand of them for all
 * its callers together: one megabyte of short rows would have used them up.
 */
const insertedRowsMax = 1000;

/** Tables with a trigger that swallows the same row again within 30 seconds: only there an insert may be repeated. */
const swallowsRepeats: ReadonlySet<string> = new Set(["public.contacts"]);

/** Stage two: from meaning to a statement about things that exist. Every name in a plan comes from the catalogue. */
export function planRequest(request: DataRequest, snapshot: Snapshot): Plan {
  const { kind, schema, name } = request.target;
  if (kind === "function") return planFunction(request, planCall(request, snapshot.findRoutines(schema, name)));

  const table = snapshot.findTable(schema, name);
  if (!table) throw refusals.unknownTable(schema, name);
  if (request.payload) return planInsert(request, table, request.payload);
  return planRead(request, { kind: "table", table }, table, true);
}

function planFunction(request: DataRequest, call: Call): ReadPlan {
  const isReadOnly = request.method !== "POST" || !call.routine.isVolatile;
  return planRead(request, { kind: "call", call }, call.routine, isReadOnly);
}

/** Picks the function whose parameters bear exactly these names (protocol section 4.5). */
function planCall(request: DataRequest, routines: readonly Routine[]): Call {
  const { payload, queryArguments, target } = request;
  const names = payload ? (payload.keys ?? []) : [...queryArguments.keys()];

  const [routine, ...others] = routines.filter((each) => accepts(each, names));
  if (!routine) throw refusals.unknownFunction(target.schema, target.name, names.toSorted(), nearest(routines));
  if (others.length > 0) throw refusals.ambiguousFunction([routine, ...others].map(signature));

  const given = routine.parameters.filter(({ name }) => names.includes(name));
  if (payload) return { routine, given, values: { kind: "json", json: payload.json } };
  return { routine, given, values: { kind: "texts", texts: given.map(({ name }) => queryArguments.get(name) ?? "") } };
}

function accepts({ parameters }: Routine, names: readonly string[]): boolean {
  const known = names.every((name) => parameters.some((parameter) => parameter.name === name));
  return known && parameters.every(({ name, hasDefault }) => hasDefault || names.includes(name));
}

/** A function of that name which wants other arguments is what the caller most likely meant. */
function nearest([first]: readonly Routine[]): string | undefined {
  if (!first) return undefined;
  const names = first.parameters.map(({ name }) => name).toSorted();
  return `${first.schema}.${first.name}(${names.join(", ")})`;
}

function signature({ schema, name, parameters }: Routine): string {
  return `${schema}.${name}(${parameters.map((each) => `${each.name} => ${each.type}`).join(", ")})`;
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
    ...commonOf(request),
  };
}

function planInsert(request: DataRequest, table: Table, payload: Payload): InsertPlan {
  const names = request.columns ?? payload.keys;
  if (!names) throw refusals.differentKeys();
  if (payload.rowCount > insertedRowsMax) throw refusals.tooManyRows(insertedRowsMax);
  const returning = planReturning(request, table);
  const common = commonOf(request);
  return {
    kind: "insert",
    table,
    columns: names.map((name) => {
      const column = table.columns.get(name);
      if (!column) throw refusals.unknownColumnToWrite(table.name, name);
      return column;
    }),
    rows: payload.isArray ? payload.json : `[${payload.json}]`,
    fillsDefaults: request.preferences.missing === "default",
    returning,
    isReadOnly: false,
    // One row, since the trigger looks at each by itself; and no answer that tells of rows, since a repeat writes none.
    mayRepeat:
      swallowsRepeats.has(`${table.schema}.${table.name}`) &&
      payload.rowCount === 1 &&
      returning === "nothing" &&
      !common.isSingle &&
      !common.countsAll,
    ...common,
  };
}

function planReturning(request: DataRequest, table: Table): InsertPlan["returning"] {
  if (request.preferences.return === "representation") return planOutput(request.select, table);
  return request.preferences.return === "headers-only" && table.primaryKey.length > 0 ? "key" : "nothing";
}

function commonOf({ media, preferences }: DataRequest) {
  return {
    isSingle: media === "application/vnd.pgrst.object+json",
    // Planned and estimated counts may be exact ones (section 4.3): the site's tables are small enough to count.
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

/** The types a result may be cast to; the one part of a statement that is named by callers and not in the catalogue. */
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
