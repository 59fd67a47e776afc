import { readFileSync } from "node:fs";
import { brand } from "#content/brand";

const specification = readFileSync(new URL("../../docs/specification.md", import.meta.url), "utf8");

/** Whether the company is the one of the example, whose facts the tables list (docs/specification.md#the-example). */
export const isExample = brand.name === "Fernway";

type Row<Column extends string> = Readonly<Record<Column, string>>;

/** The rows of the table below a heading of docs/specification.md. Backticks around a whole cell are removed. */
export function readTable<Column extends string>(heading: string, columns: readonly Column[]): Row<Column>[] {
  const section = specification
    .split(/^(?=#+ )/m)
    .find((part) => part.split("\n", 1)[0]?.replace(/^#+ /, "") === heading);
  const [head = [], , ...rows] = (section ?? "").split("\n").filter(isRow).map(cellsOf);
  for (const column of columns)
    if (!head.includes(column))
      throw new Error(`The table "${heading}" of the specification has no column "${column}".`);

  if (rows.length === 0) throw new Error(`The table "${heading}" of the specification has no rows.`);
  return rows.map((cells) => {
    if (cells.length !== head.length) throw new Error(`The table "${heading}" has a broken row: ${cells.join(" | ")}`);
    return Object.fromEntries(head.map((column, index) => [column, cells[index]])) as Row<Column>;
  });
}

/** Parses a cell such as "`contactMessages.tooFast` in `content/messages.ts`". */
export function parseName(cell: string): { name: string; file: string } {
  const [, name, file] = /^`([\w.]+)` in `([\w./-]+)`$/.exec(cell) ?? [];
  if (!name || !file) throw new Error(`The specification has a cell that names no export: ${cell}`);
  return { name, file };
}

export const routes = readTable("Routes", ["Path", "In the sitemap", "Name"]);
export const links = readTable("Links", ["Where", "Label", "Address", "Name"]);
export const anchors = readTable("Anchors", ["Anchor"]).map((row) => row.Anchor);
export const legalPages = readTable("Legal pages", [
  "Path",
  "Text",
  "Sections",
  "Effective date",
  "Last updated",
  "Minimum age",
  "Below that age",
]);
export const fixedTexts = readTable("Fixed texts", ["Text", "Name"]).map(({ Text: text, Name: cell }) => ({
  ...parseName(cell),
  text: text.replace(/\{(\w+)\}/g, (_, word: keyof typeof brand) => brand[word]),
}));

/** The fixed text with this name. */
export function textOf(name: string): string {
  const found = fixedTexts.find((each) => each.name === name);
  if (!found) throw new Error(`The specification has no text "${name}".`);
  return found.text;
}

/** Finds a text of the client library in the specification. The table's first column is the condition for the text. */
export function libraryTextOf(condition: string): string {
  const found = readTable("Texts of the client library", ["Condition", "Text"]).find(
    (row) => row.Condition === condition,
  );
  if (!found) throw new Error(`The specification has no text of the client library for "${condition}".`);
  return found.Text;
}

function isRow(line: string): boolean {
  return line.startsWith("|");
}

function cellsOf(line: string): string[] {
  const cells = line.split("|").slice(1, -1);
  return cells.map((cell) => cell.trim().replace(/^`([^`]*)`$/, "$1"));
}
