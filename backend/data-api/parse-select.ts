import { refusals } from "./refusals.ts";
import { Scanner } from "./scanner.ts";

export type SelectItem = "all" | { column: string; alias: string; cast: string | undefined };

export interface OrderTerm {
  column: string;
  direction: "asc" | "desc";
  nulls: "first" | "last" | undefined;
}

/**
 * Parses `select=`: a comma-separated list of `*`, `column`, `alias:column` and `column::type`
 * (docs/protocol.md#select).
 */
export function parseSelect(text: string | null, table: string): SelectItem[] {
  if (!text) return ["all"];
  return list(text, "select parameter", (scanner) => selectItem(scanner, table));
}

/** Parses `order=`: a comma-separated list of `column[.asc|.desc][.nullsfirst|.nullslast]`. */
export function parseOrder(text: string | null): OrderTerm[] {
  return text ? list(text, "order", orderTerm) : [];
}

/** Parses `columns=`: the names of the columns to write. The client sends this list with an array of rows. */
export function parseColumns(text: string | null): string[] | undefined {
  return text ? [...new Set(list(text, "columns parameter", (scanner) => scanner.name()))] : undefined;
}

function list<T>(text: string, subject: string, item: (scanner: Scanner) => T): T[] {
  const scanner = new Scanner(text, subject);
  const items = scanner.list(() => item(scanner));
  scanner.expectEnd();
  return items;
}

function selectItem(scanner: Scanner, table: string): SelectItem {
  if (scanner.take("*")) return "all";
  scanner.take("...");

  const first = scanner.name();
  const isAlias = scanner.match(/:(?!:)/y) !== undefined;
  const column = isAlias ? scanner.name() : first;
  if (scanner.match(/[!(]/y)) throw refusals.unknownRelationship(table, column);
  if (scanner.match(/\.(?:avg|count|max|min|sum)\(/y)) throw refusals.aggregate();
  const cast = scanner.take("::") ? scanner.name().toLowerCase() : undefined;
  return { column, alias: first, cast };
}

function orderTerm(scanner: Scanner): OrderTerm {
  const column = scanner.name();
  const direction = scanner.match(/\.(?:asc|desc)(?![a-z])/y) === ".desc" ? "desc" : "asc";
  const nulls = scanner.match(/\.nulls(?:first|last)/y);
  return { column, direction, nulls: nulls === undefined ? undefined : nulls.endsWith("first") ? "first" : "last" };
}
