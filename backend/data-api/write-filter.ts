import { escapeIdentifier } from "pg";
import type { Table } from "./catalogue.ts";
import type { Comparison, Condition, Filter, Quantifier } from "./parse-filter.ts";
import { refusals } from "./refusals.ts";

/**
 * Adds a value to the parameters of the statement and returns its placeholder. Values reach a statement in no other
 * way.
 */
export type Bind = (value: unknown) => string;

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

export function writeFilter(filter: Filter, source: Table, bind: Bind): string {
  const test =
    "filters" in filter
      ? filter.filters.map((each) => writeFilter(each, source, bind)).join(` ${filter.operator} `)
      : writeCondition(filter, columnOf(source, filter.column), bind);
  return `${filter.negated ? "not " : ""}(${test})`;
}

/**
 * The values are sent as text without a type, so PostgreSQL converts each to its column's type
 * (docs/protocol.md#filters).
 */
function writeCondition(condition: Condition, column: string, bind: Bind): string {
  if (condition.operator === "is") return `${column} is ${condition.truth.replace("_", " ")}`;
  if (condition.operator === "in") return `${column} = any (${bind(condition.values)})`;
  if (condition.operator === "isdistinct") return `${column} is distinct from ${bind(condition.value)}`;

  const { operator, quantifier, value } = condition;
  // In a pattern, an asterisk means the same as a percent sign, which a client would have to escape in a URL.
  const pattern = operator === "like" || operator === "ilike" ? value.replaceAll("*", "%") : value;
  const isRegex = operator === "match" || operator === "imatch";
  const operand = isRegex ? writeRegex(bind(pattern), quantifier) : bind(pattern);
  return `${column} ${operators[operator]} ${quantifier ? `${quantifier} (${operand})` : operand}`;
}

/**
 * The planner does not look into a subquery. Otherwise it would compile the regular expression for its estimate, which a
 * hostile one makes slow, also for a caller to whom row-level security shows no row to compare it with.
 */
function writeRegex(placeholder: string, quantifier: Quantifier): string {
  return quantifier ? `(select ${placeholder}::text[])::text[]` : `(select ${placeholder}::text)`;
}

export function columnOf({ name, columns }: Table, column: string): string {
  if (!columns.some((each) => each.name === column)) throw refusals.unknownColumn(name, column);
  return `source.${escapeIdentifier(column)}`;
}

export function nameOf({ name }: { name: string }): string {
  return `"public".${escapeIdentifier(name)}`;
}

export function namesOf(columns: readonly { name: string }[]): string {
  return columns.map(({ name }) => escapeIdentifier(name)).join(", ");
}

/** What `json_to_record` needs to make columns of JSON. */
export function definitionsOf(columns: readonly { name: string; type: string }[]): string {
  return columns.map(({ name, type }) => `${escapeIdentifier(name)} ${type}`).join(", ");
}
