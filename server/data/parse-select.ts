import { refusals } from "./refusals.ts";
import { Scanner } from "./scanner.ts";

export type SelectItem =
  | { kind: "all" }
  | { kind: "column"; column: string; alias: string | undefined; cast: string | undefined }
  /**
   * A table that is to be embedded in the rows. The planner refuses it, because the message of the refusal names the
   * parent table, which the parser does not know.
   */
  | { kind: "relation"; relation: string };

export interface OrderTerm {
  column: string;
  direction: "asc" | "desc";
  nulls: "first" | "last" | undefined;
}

/**
 * Parses `select=`: a comma-separated list of `*`, `column`, `alias:column` and `column::type`
 * (docs/protocol.md#select).
 */
export function parseSelect(text: string | undefined): SelectItem[] {
  if (!text) return [{ kind: "all" }];
  return list(new Scanner(text, "select parameter"), selectItem);
}

/** Parses `order=`: a comma-separated list of `column[.asc|.desc][.nullsfirst|.nullslast]`. */
export function parseOrder(text: string | undefined): OrderTerm[] {
  if (!text) return [];
  return list(new Scanner(text, "order"), orderTerm);
}

/** Parses `columns=`: the names of the columns to write. The client sends this list with an array of rows. */
export function parseColumns(text: string | undefined): string[] | undefined {
  if (!text) return undefined;
  return [...new Set(list(new Scanner(text, "columns parameter"), (scanner) => scanner.name()))];
}

function list<T>(scanner: Scanner, item: (scanner: Scanner) => T): T[] {
  const items = [item(scanner)];
  while (scanner.take(",")) items.push(item(scanner));
  scanner.expectEnd();
  return items;
}

function selectItem(scanner: Scanner): SelectItem {
  if (scanner.take("*")) return { kind: "all" };
  scanner.take("...");

  const first = scanner.name();
  const alias = scanner.match(/:(?!:)/y) ? first : undefined;
  const column = alias === undefined ? first : scanner.name();
  if (scanner.match(/[!(]/y)) return readRelation(scanner, column);
  if (scanner.take("->")) throw refusals.jsonPath();
  if (scanner.match(/\.(?:avg|count|max|min|sum)\(/y)) throw refusals.aggregate();

  const cast = scanner.take("::") ? scanner.name().toLowerCase() : undefined;
  return { kind: "column", column, alias, cast };
}

/** Skips the rest of the parameter, because the planner refuses embedded tables anyway. */
function readRelation(scanner: Scanner, relation: string): SelectItem {
  scanner.rest();
  return { kind: "relation", relation };
}

function orderTerm(scanner: Scanner): OrderTerm {
  const column = scanner.name();
  if (scanner.take("->")) throw refusals.jsonPath();
  const direction = scanner.match(/\.(?:asc|desc)(?![a-z])/y) === ".desc" ? "desc" : "asc";
  const nulls = scanner.match(/\.nulls(?:first|last)/y);
  return { column, direction, nulls: nulls === undefined ? undefined : nulls.endsWith("first") ? "first" : "last" };
}
