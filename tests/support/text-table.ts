/**
 * The cells of a table that a test writes as text: a row is a line, and two spaces or more divide its cells. Write it with
 * `String.raw`, so that a backslash stays one.
 */
export function rowsOf(text: string): string[][] {
  return text
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/ {2,}/))
    .filter(([first]) => first);
}
