import { refusals } from "./refusals.ts";
import { Scanner } from "./scanner.ts";

const comparisons = ["eq", "neq", "gt", "gte", "lt", "lte", "like", "ilike", "match", "imatch"] as const;
const truths = ["null", "not_null", "true", "false", "unknown"] as const;

export type Comparison = (typeof comparisons)[number];
export type Quantifier = "any" | "all" | undefined;
type Truth = (typeof truths)[number];

export type Condition = { column: string; negated: boolean } & (
  | { operator: Comparison; quantifier: Quantifier; value: string }
  | { operator: "in"; values: string[] }
  | { operator: "is"; truth: Truth }
  | { operator: "isdistinct"; value: string }
);
export type Filter = Condition | { operator: "and" | "or"; negated: boolean; filters: Filter[] };

/**
 * The maximum depth of nested groups. A real query needs far fewer levels. The stack of PostgreSQL's planner overflows
 * only at far more levels.
 */
const nestingMax = 20;

const operators = [...comparisons, "in", "is", "isdistinct"];
const comparison = new RegExp(`(?:${comparisons.join("|")})(?=[.(])`, "y");
const filterPattern = new RegExp(`^(?:not\\.)?(?:${operators.join("|")})(?:\\((?:any|all)\\))?\\.`);

/**
 * For a function that is called by GET: returns whether a query parameter filters the result. Otherwise the parameter
 * is an argument of the function.
 */
export function isFilter(name: string, value: string): boolean {
  return isGroup(name) || filterPattern.test(value);
}

/** Parses one query parameter: `column=operator.value`, or `and=(…)`, `or=(…)` (docs/protocol.md#filters). */
export function parseFilter(name: string, text: string): Filter {
  if (isGroup(name)) {
    const scanner = new Scanner(text, "logic tree");
    const group = readGroup(scanner, name.replace("not.", "") as "and" | "or", name.startsWith("not."), 1);
    scanner.expectEnd();
    return group;
  }

  if (name.includes("->")) throw refusals.jsonPath();
  const scanner = new Scanner(text, "filter");
  const condition = readCondition(scanner, name, (quantified) => (quantified ? readBraces(scanner) : scanner.rest()));
  scanner.expectEnd();
  return condition;
}

function isGroup(name: string): boolean {
  return /^(?:not\.)?(?:and|or)$/.test(name);
}

function readGroup(scanner: Scanner, operator: "and" | "or", negated: boolean, depth: number): Filter {
  if (depth > nestingMax) throw refusals.tooDeep("logic tree");
  scanner.expect("(");
  const filters = scanner.list(() => readBranch(scanner, depth));
  scanner.expect(")");
  return { operator, negated, filters };
}

/** Reads one part of a group: a nested group, or `column.operator.value`. */
function readBranch(scanner: Scanner, depth: number): Filter {
  const group = scanner.match(/(?:not\.)?(?:and|or)(?=\()/y);
  if (group) return readGroup(scanner, group.endsWith("and") ? "and" : "or", group.startsWith("not."), depth + 1);

  const column = scanner.name();
  scanner.expect(".");
  return readCondition(scanner, column, () => readDelimited(scanner));
}

function readCondition(scanner: Scanner, column: string, readValue: (quantified: boolean) => string): Condition {
  const negated = scanner.take("not.");
  if (scanner.take("in.")) return { column, negated, operator: "in", values: readList(scanner) };
  if (scanner.take("is.")) return { column, negated, operator: "is", truth: readTruth(scanner) };
  if (scanner.take("isdistinct.")) return { column, negated, operator: "isdistinct", value: readValue(false) };

  const operator = scanner.match(comparison) as Comparison | undefined;
  if (!operator) return scanner.fail(`"not" or operator (${operators.join(", ")})`);
  const quantifier = scanner.take("(any)") ? "any" : scanner.take("(all)") ? "all" : undefined;
  scanner.expect(".");
  return { column, negated, operator, quantifier, value: readValue(quantifier !== undefined) };
}

function readTruth(scanner: Scanner): Truth {
  const word = scanner.match(/[a-z_]+/iy)?.toLowerCase();
  return truths.find((each) => each === word) ?? scanner.fail(`one of ${truths.join(", ")}`);
}

function readList(scanner: Scanner): string[] {
  scanner.expect("(");
  if (scanner.take(")")) return [];
  const values = scanner.list(() => readElement(scanner));
  scanner.expect(")");
  return values;
}

/** A value in a group ends at a comma or closing parenthesis, unless the whole value is quoted or in braces. */
function readDelimited(scanner: Scanner): string {
  return scanner.match(/\{[^{}]*\}(?=[,)]|$)/y) ?? readElement(scanner);
}

/**
 * Reads one element of a list. Braces are ordinary characters here. Quotes are ordinary characters too, unless they
 * enclose the whole element: `{a`, `q"r`.
 */
function readElement(scanner: Scanner): string {
  return scanner.quotedElement() ?? scanner.match(/[^,)]*/y) ?? "";
}

function readBraces(scanner: Scanner): string {
  return scanner.match(/\{.*\}/sy) ?? scanner.fail('"{"');
}
