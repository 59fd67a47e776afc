/** The SQL of what pg's `query` was called with: a text, or an object that has it. */
export function textOfStatement(statement: unknown): string {
  return typeof statement === "string" ? statement : String((statement as { text?: unknown }).text);
}
