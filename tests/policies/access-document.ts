import { readFileSync } from "node:fs";

const file = "docs/access.md";

/** What callers may do, by section and object. `documented` has it from docs/access.md, the tests from a server. */
export type Access = ReadonlyMap<string, Section>;
export type Section = ReadonlyMap<string, Row>;
/** The cells of a row by column, without the name of the object. */
export type Row = Readonly<Record<string, string>>;

/** The cell of a caller who may do nothing. */
export const nothing = "—";

/** The tables of docs/access.md by heading. */
export const documented: Access = new Map(
  readFileSync(new URL(`../../${file}`, import.meta.url), "utf8")
    .split(/^## /m)
    .map((part) => [part.split("\n", 1)[0] ?? "", sectionIn(part)]),
);

/**
 * Compares the observed access with the document, in both directions. Each difference is a sentence that names the cell.
 * For an object without a row, it contains the row to add.
 */
export function differences(document: Access, observed: Access): string[] {
  return [...observed].flatMap(([heading, objects]) => {
    const rows: Section = document.get(heading) ?? new Map();
    const where = `${file}, ${heading}`;
    const wrong = [...objects].flatMap(([object, row]) => {
      const says = rows.get(object) ?? rows.get(wildcardOf(object));
      if (!says) return [`${where}: no row for ${object}. If its access is right, add: ${asLine(object, row)}`];
      return Object.entries(row)
        .filter(([column, cell]) => says[column] !== cell && says[column] !== "any")
        .map(([column, cell]) => `${where}, ${object}, ${column}: documented "${says[column]}", observed "${cell}"`);
    });
    const used = new Set([...objects.keys()].flatMap((object) => [object, wildcardOf(object)]));
    const stale = [...rows.keys()].filter((object) => !used.has(object));
    return [...wrong, ...stale.map((object) => `${where}: remove the row of ${object}, which does not exist.`)];
  });
}

/** The row `schema.*` stands for each object of this schema that has no row of its own. */
function wildcardOf(object: string): string {
  return `${object.split(".", 1)[0]}.*`;
}

function asLine(object: string, row: Row): string {
  return `| ${[`\`${object}\``, ...Object.values(row)].join(" | ")} |`;
}

function sectionIn(part: string): Section {
  const [head = [], , ...rows] = part
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) => line.split("|").slice(1, -1));
  return new Map(
    rows.flatMap(([objects = "", ...cells]) => {
      const row = Object.fromEntries(cells.map((cell, index) => [head[index + 1]?.trim() ?? "", cell.trim()]));
      // A row may be about several objects.
      return [...objects.matchAll(/`([^`]+)`/g)].map(([, object = ""]) => [object, row] as const);
    }),
  );
}
