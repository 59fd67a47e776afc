import { refusals } from "./refusals.ts";
import { Scanner } from "./scanner.ts";

/** What the names and values of a filter become in a statement. */
export interface Names {
  /** Returns the column in SQL; throws a refusal if there is none of this name. */
  columnOf: (name: string) => string;
  /**
   * Adds a value to the parameters of the statement and returns its placeholder. Values reach a statement in no other way.
   * They have no type, so PostgreSQL converts each to its column's.
   */
  bind: (value: unknown) => string;
}

const comparisons: Readonly<Record<string, string>> = {
  eq: "=",
  neq: "<>",
  gt: ">",
  gte: ">=",
  lt: "<",
  lte: "<=",
  like: "like",
  ilike: "ilike",
};
const comparison = new RegExp(`(?:${Object.keys(comparisons).join("|")})(?=\\.)`, "y");
const truths = ["null", "not_null", "true", "false", "unknown"];
const operators = [...Object.keys(comparisons), "in", "is"].join(", ");

/**
 * The maximum depth of nested groups. A real query needs far fewer levels. The stack of PostgreSQL's planner overflows
 * only at far more levels.
 */
const nestingMax = 20;

/** Writes one query parameter as a condition: `column=operator.value`, or `or=(…)` (docs/protocol.md#filters). */
export function writeFilter(name: string, text: string, names: Names): string {
  const isGroup = groupName.test(name);
  const scanner = new Scanner(text, isGroup ? "logic tree" : "filter");
  const condition = isGroup
    ? writeGroup(name, scanner, names, 1)
    : writeCondition(names.columnOf(name), scanner, names, () => scanner.match(/.*/sy) ?? "");
  scanner.expectEnd();
  return condition;
}

const groupName = /^(?:not\.)?(?:and|or)$/;
const nestedGroup = /(?:not\.)?(?:and|or)(?=\()/y;

function writeGroup(name: string, scanner: Scanner, names: Names, depth: number): string {
  if (depth > nestingMax) throw refusals.tooDeep("logic tree");
  scanner.expect("(");
  const conditions = scanner.list(() => {
    const group = scanner.match(nestedGroup);
    if (group) return writeGroup(group, scanner, names, depth + 1);
    const column = names.columnOf(scanner.name());
    scanner.expect(".");
    return writeCondition(column, scanner, names, () => scanner.value());
  });
  scanner.expect(")");
  return `${name.startsWith("not.") ? "not " : ""}(${conditions.join(name.endsWith("and") ? " and " : " or ")})`;
}

function writeCondition(column: string, scanner: Scanner, { bind }: Names, readValue: () => string): string {
  const not = scanner.take("not.") ? "not " : "";
  if (scanner.take("in.")) return `${not}(${column} = any (${bind(readList(scanner))}))`;
  if (scanner.take("is.")) return `${not}(${column} is ${readTruth(scanner)})`;

  const operator = scanner.match(comparison) ?? scanner.fail(`"not" or operator (${operators})`);
  scanner.expect(".");
  // In a pattern, an asterisk means the same as a percent sign, which a client would have to escape in a URL.
  const value = operator.endsWith("like") ? readValue().replaceAll("*", "%") : readValue();
  return `${not}(${column} ${comparisons[operator]} ${bind(value)})`;
}

function readTruth(scanner: Scanner): string {
  const word = scanner.match(/[a-z_]+/iy)?.toLowerCase() ?? "";
  return truths.includes(word) ? word.replace("_", " ") : scanner.fail(`one of ${truths.join(", ")}`);
}

function readList(scanner: Scanner): string[] {
  scanner.expect("(");
  if (scanner.take(")")) return [];
  const values = scanner.list(() => scanner.value());
  scanner.expect(")");
  return values;
}
