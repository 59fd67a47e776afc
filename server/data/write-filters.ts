import { escapeIdentifier } from "pg";
import type { Comparison, Condition, Filter, Truth } from "./parse-filter.ts";
import type { Bind } from "./write-sql.ts";

const operators: Readonly<Record<Comparison, string>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
};

const truths: Readonly<Record<Truth, string>> = {
  null: "null",
  not_null: "not null",
  true: "true",
  false: "false",
  unknown: "unknown",
};

/** A where clause about `source`, or nothing. */
export function writeConditions(filters: readonly Filter[], bind: Bind): string {
  return filters.length === 0 ? "" : ` where ${filters.map((filter) => writeFilter(filter, bind)).join(" and ")}`;
}

function writeFilter(filter: Filter, bind: Bind): string {
  const test =
    "filters" in filter
      ? filter.filters.map((each) => writeFilter(each, bind)).join(` ${filter.operator} `)
      : writeCondition(filter, bind);
  return `${filter.negated ? "not " : ""}(${test})`;
}

/** Values go as untyped text: PostgreSQL reads them by the column's type and says 22P02 where it cannot (section 4.4). */
function writeCondition(condition: Condition, bind: Bind): string {
  const column = `source.${escapeIdentifier(condition.column)}`;
  if (condition.operator === "is") return `${column} is ${truths[condition.truth]}`;
  if (condition.operator === "in") return `${column} = any (${bind(condition.values)})`;

  const { operator, quantifier, value } = condition;
  // An asterisk stands for the percent sign, which addresses would have to escape.
  const pattern = operator === "like" || operator === "ilike" ? value.replaceAll("*", "%") : value;
  const place = bind(pattern);
  return `${column} ${operators[operator]} ${quantifier ? `${quantifier} (${place})` : place}`;
}
