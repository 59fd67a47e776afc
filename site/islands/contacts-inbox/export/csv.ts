/**
 * Text of a CSV file (RFC 4180). Spreadsheet programs take some cells for formulas, and visitors write most of the cells, so
 * a formula could send the file's contents away or start a program (docs/specification.md#download-of-contacts).
 */
export function csvRows(rows: readonly (readonly string[])[]): string {
  return rows.map((cells) => `${cells.map((cell) => quote(harmless(cell))).join(",")}\r\n`).join("");
}

/** Without this mark, Excel does not read the file as UTF-8. */
export const byteOrderMark = "\uFEFF";

/**
 * A program that reads semicolons or tabs as separators begins a cell after each of them, and a line after each line
 * break, also inside quotes that do not begin its cell. White space, control and format characters may stand before the
 * sign, because programs skip some of them. The second pattern is for control characters of their own.
 */
const formulaStart = /(?<=^|[;\t\r\n])(?=[\s\p{Cc}\p{Cf}\p{Z}]*[=+\-@＝＋－＠])/gu;
const controlStart = /^(?=\p{Cc})/u;

/** An apostrophe makes a program take the rest of the cell for text, and leaves it readable. */
export function harmless(cell: string): string {
  const text = cell.replace(formulaStart, "'");
  return text.startsWith("'") ? text : text.replace(controlStart, "'");
}

function quote(cell: string): string {
  return /[",;\p{Cc}]|^\s|\s$/u.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
