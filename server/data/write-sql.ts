import { escapeIdentifier, escapeLiteral } from "pg";
import type { Claims } from "#server/database/as-caller";
import type { Column } from "./catalogue.ts";
import type { Comparison, Condition, Filter, Quantifier, Truth } from "./parse-filter.ts";
import type { DeletePlan, InsertPlan, Output, Plan, ReadPlan, UpdatePlan, WritePlan } from "./plan.ts";
import type { Call } from "./plan-call.ts";

interface Statement {
  text: string;
  values: unknown[];
}

/**
 * Adds a value to the parameters of the statement and returns its placeholder. Values reach a statement in no other
 * way.
 */
type Bind = (value: unknown) => string;

const operators: Readonly<Record<Comparison, string>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
  match: "~",
  imatch: "~*",
};

const truths: Readonly<Record<Truth, string>> = {
  null: "null",
  not_null: "not null",
  true: "true",
  false: "false",
  unknown: "unknown",
};

/**
 * Stage three. Each statement returns one row: `body` (JSON text), `returned` (the number of rows in it) and `total`
 * (the number of all matching rows, ignoring limit and offset).
 */
export function writeSql(plan: Plan, role: Claims["role"]): Statement {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = plan.kind === "read" ? writeRead(plan, role, bind) : writeWrite(plan, role, bind);
  return { text, values };
}

function writeWrite(plan: WritePlan, role: Claims["role"], bind: Bind): string {
  const body = plan.returning === "nothing" ? "null" : asJson("written.*", plan.isSingle);
  return `with written as (
  ${writeStatement(plan, role, writeReturning(plan), bind)}
)
select ${body}::text as body, count(*) as returned, ${plan.countsAll ? "count(*)" : "null"} as total from written`;
}

function writeReturning({ returning, table }: WritePlan): string {
  if (returning === "nothing") return "1";
  if (returning === "key") return table.primaryKey.map(escapeIdentifier).join(", ");
  return writeOutput(returning, "source");
}

function writeStatement(plan: WritePlan, role: Claims["role"], returning: string, bind: Bind): string {
  const table = `${nameOf(plan.table)} as source`;
  if (plan.kind === "insert") return `insert into ${table} ${writeRows(plan, bind)} returning ${returning}`;
  // SQL has no update of no columns. The reader of no rows needs the same rights as the reader of some.
  if (plan.kind === "update" && plan.columns.length === 0) return `select ${returning} from ${table} where false`;

  const change = plan.kind === "update" ? `update ${table} set ${writeValues(plan, bind)}` : `delete from ${table}`;
  return `${change}${writeConditions(plan, role, bind)} returning ${returning}`;
}

/** A column that `columns` names and the JSON lacks becomes null. */
function writeValues({ columns, rows }: UpdatePlan, bind: Bind): string {
  const names = columns.map(({ name }) => escapeIdentifier(name)).join(", ");
  return `(${names}) = (select ${names} from json_to_recordset(${bind(rows)}::json) as given (${writeTypes(columns)}))`;
}

/**
 * PostgreSQL makes rows from the JSON and converts the values to the columns' types. It ignores keys that are not in
 * `columns`.
 */
function writeRows({ columns, rows, fillsDefaults }: InsertPlan, bind: Bind): string {
  const json = `${bind(rows)}::json`;
  if (columns.length === 0) return `select from json_array_elements(${json})`;

  const names = columns.map(({ name }) => escapeIdentifier(name)).join(", ");
  const typed = writeTypes(columns);
  if (!fillsDefaults) return `(${names}) select ${names} from json_to_recordset(${json}) as given (${typed})`;
  return `(${names}) select ${columns.map(valueOrDefault).join(", ")}
  from json_array_elements(${json}) as element, json_to_record(element) as given (${typed})`;
}

function writeTypes(columns: readonly Pick<Column, "name" | "type">[]): string {
  return columns.map(({ name, type }) => `${escapeIdentifier(name)} ${type}`).join(", ");
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

function writeRead(plan: ReadPlan, role: Claims["role"], bind: Bind): string {
  const { source, output, order } = plan;
  const isValue = source.kind === "call" && source.call.routine.returns === "value";

  // The call is materialized, because a count reads its result a second time, but the function must run only once.
  const called = source.kind === "call" ? `called as materialized (${writeCall(source.call, bind)}), ` : "";
  const from = `from ${source.kind === "call" ? "called" : nameOf(source.table)} as source`;
  const where = writeConditions(plan, role, bind);
  const total = plan.countsAll ? `(select count(*) ${from}${where})` : "null";
  const sorted = order.length > 0 ? ` order by ${order.map(writeOrder).join(", ")}` : "";
  const window = ` limit ${bind(plan.limit)} offset ${bind(plan.offset)}`;

  return `with ${called}chosen as (
  select ${writeOutput(output, "source")} ${from}${where}${sorted}${window}
)
select ${writeBody(plan, isValue ? "chosen.value" : "chosen.*")}::text as body, count(*) as returned, ${total} as total
  from chosen`;
}

/**
 * Returns a where clause with columns of `source`, or an empty text. The condition without a column keeps PostgreSQL from
 * reading all contacts for an account that may read none (docs/protocol.md#exposed-relations).
 */
function writeConditions(plan: ReadPlan | UpdatePlan | DeletePlan, role: Claims["role"], bind: Bind): string {
  const conditions = plan.filters.map((filter) => writeFilter(filter, bind));
  if (plan.isContacts && role === "authenticated") conditions.unshift("(select public.is_contact_reader())");
  return conditions.length === 0 ? "" : ` where ${conditions.join(" and ")}`;
}

function writeFilter(filter: Filter, bind: Bind): string {
  const test =
    "filters" in filter
      ? filter.filters.map((each) => writeFilter(each, bind)).join(` ${filter.operator} `)
      : writeCondition(filter, bind);
  return `${filter.negated ? "not " : ""}(${test})`;
}

/**
 * The values are sent as text without a type, so PostgreSQL converts each to its column's type
 * (docs/protocol.md#filters).
 */
function writeCondition(condition: Condition, bind: Bind): string {
  const column = `source.${escapeIdentifier(condition.column)}`;
  if (condition.operator === "is") return `${column} is ${truths[condition.truth]}`;
  if (condition.operator === "in") return `${column} = any (${bind(condition.values)})`;
  if (condition.operator === "isdistinct") return `${column} is distinct from ${bind(condition.value)}`;

  const { operator, quantifier, value } = condition;
  // In a pattern, an asterisk means the same as a percent sign, which a client would have to escape in a URL.
  const pattern = operator === "like" || operator === "ilike" ? value.replaceAll("*", "%") : value;
  const placeholder =
    operator === "match" || operator === "imatch" ? writeRegex(bind(pattern), quantifier) : bind(pattern);
  return `${column} ${operators[operator]} ${quantifier ? `${quantifier} (${placeholder})` : placeholder}`;
}

/**
 * The planner does not look into a subquery. Otherwise it would compile the regular expression for its estimate, which a
 * hostile one makes slow, also for a caller to whom row-level security shows no row to compare it with.
 */
function writeRegex(placeholder: string, quantifier: Quantifier): string {
  return quantifier ? `(select ${placeholder}::text[])::text[]` : `(select ${placeholder}::text)`;
}

function writeBody({ wantsBody, isSingle, source }: ReadPlan, what: string): string {
  const returnsOne = source.kind === "call" && !source.call.routine.isSet;
  const isVoid = source.kind === "call" && source.call.routine.returns === "nothing";
  return wantsBody && !isVoid ? asJson(what, isSingle || returnsOne) : "null";
}

/** Callers pass `chosen.*` and not `chosen`, because `chosen` would mean a column of that name, if there is one. */
function asJson(rows: string, asOne: boolean): string {
  return asOne ? `(json_agg(${rows}) -> 0)` : `coalesce(json_agg(${rows}), '[]')`;
}

function writeCall({ routine, given, values }: Call, bind: Bind): string {
  const alias = routine.returns === "rows" ? "source" : "source (value)";
  const call = (value: (index: number) => string) => {
    const named = given.map(({ name }, index) => `${escapeIdentifier(name)} => ${value(index)}`);
    return `${nameOf(routine)}(${named.join(", ")}) as ${alias}`;
  };

  if (values.kind === "texts")
    return `select source.* from ${call((index) => `${bind(values.texts[index])}::${given[index]?.type}`)}`;
  if (given.length === 0) return `select source.* from ${call(() => "")}`;

  const argument = (index: number) => `given.${escapeIdentifier(given[index]?.name ?? "")}`;
  return `select source.* from json_to_record(${bind(values.json)}::json) as given (${writeTypes(given)}), lateral ${call(argument)}`;
}

function writeOutput(output: readonly Output[], source: string): string {
  return output
    .map((item) => {
      if (item === "all") return `${source}.*`;
      const column = `${source}.${escapeIdentifier(item.column)}`;
      return `${column}${item.cast ? `::${item.cast}` : ""} as ${escapeIdentifier(item.alias)}`;
    })
    .join(", ");
}

function writeOrder({ column, direction, nulls }: ReadPlan["order"][number]): string {
  return `source.${escapeIdentifier(column)} ${direction}${nulls ? ` nulls ${nulls}` : ""}`;
}

function nameOf({ schema, name }: { schema: string; name: string }): string {
  return `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;
}
