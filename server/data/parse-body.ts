import { refusals } from "./refusals.ts";

export interface Payload {
  /** As it came: PostgreSQL reads the values itself, so that no number loses a digit on the way. */
  json: string;
  isArray: boolean;
  rowCount: number;
  /** The keys of its objects, or undefined if they differ from row to row. */
  keys: string[] | undefined;
}

const acceptable = ["", "application/json", "application/vnd.pgrst.object+json"];

/** PostgreSQL reads JSON recursively and gives up at some thousand levels with an error of the server's kind. */
const nestingMax = 200;

/** A JSON object or an array of objects, by protocol section 4.2. */
export function parsePayload(bytes: Uint8Array | undefined, contentType: string | undefined): Payload {
  const [type = ""] = (contentType ?? "").split(";");
  if (!acceptable.includes(type.trim().toLowerCase())) throw refusals.contentType(type.trim());

  const json = decode(bytes);
  const value = readJson(json);
  if (isDeeperThan(nestingMax, json)) throw refusals.tooDeep("body");
  const rows: unknown[] = Array.isArray(value) ? value : [value];
  return { json, isArray: Array.isArray(value), rowCount: rows.length, keys: commonKeys(rows) };
}

function decode(bytes: Uint8Array | undefined): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refusals.invalidJson();
  }
}

function readJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null) return value;
  } catch {
    // The engine's own message names a position in a text that the caller knows; the protocol has no place for it.
  }
  throw refusals.invalidJson();
}

function commonKeys(rows: readonly unknown[]): string[] | undefined {
  const keysOf = rows.map((row) => {
    if (typeof row !== "object" || row === null || Array.isArray(row)) throw refusals.differentKeys();
    return Object.keys(row);
  });
  const first = keysOf[0] ?? [];
  const known = new Set(first);
  const alike = keysOf.every((keys) => keys.length === first.length && keys.every((key) => known.has(key)));
  return alike ? first : undefined;
}

/** Counts brackets outside strings. The text is known to be JSON, so every string ends and the search stays linear. */
function isDeeperThan(levels: number, json: string): boolean {
  let depth = 0;
  for (const [token] of json.matchAll(/"(?:[^"\\]|\\.)*"|[[{\]}]/gs)) {
    if (token === "[" || token === "{") depth += 1;
    else if (token === "]" || token === "}") depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}
