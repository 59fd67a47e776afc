/**
 * PostgreSQL reads JSON recursively: at some thousand levels it fails with SQLSTATE 54001, whose status is 500. So the
 * server itself refuses deep bodies.
 */
const nestingMax = 200;

/**
 * Counts the brackets outside of strings. The text is valid JSON, so every string has an end and the search takes
 * linear time.
 */
export function isNestedTooDeeply(json: string): boolean {
  // Most bodies are too short to be that deep.
  if (json.length <= nestingMax) return false;
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > nestingMax) return true;
  }
  return false;
}
