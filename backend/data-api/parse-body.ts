import { isNestedTooDeeply } from "#backend/http/json-depth";
import { refusals } from "./refusals.ts";

export interface Payload {
  /**
   * The text of the body, unchanged. PostgreSQL parses it, because JavaScript's `JSON.parse` loses digits of long
   * numbers.
   */
  json: string;
  isArray: boolean;
  rowCount: number;
  /** The keys of the rows; undefined if the rows have different keys. */
  keys: string[] | undefined;
}

/**
 * The maximum number of rows in one insert. PostgREST has no such limit. But a trigger may take a lock for each row,
 * and PostgreSQL has room for only some thousand locks of all callers together. Contacts of visitors have a lower limit,
 * in SQL (docs/protocol.md#contact-rules).
 */
const insertedRowsMax = 1000;

const acceptedTypes = ["", "application/json", "application/vnd.pgrst.object+json"];

/** Accepts a JSON object or an array of objects (docs/protocol.md#insert). */
export function parsePayload(bytes: Uint8Array | undefined, contentType: string | undefined): Payload {
  const [type = ""] = (contentType ?? "").split(";");
  if (!acceptedTypes.includes(type.trim().toLowerCase())) throw refusals.contentType(type.trim());

  const { json, value } = readJson(bytes);
  const rows: unknown[] = Array.isArray(value) ? value : [value];
  if (rows.length > insertedRowsMax) throw refusals.tooManyRows(insertedRowsMax);
  if (isNestedTooDeeply(json)) throw refusals.tooDeep("body");
  return { json, isArray: Array.isArray(value), rowCount: rows.length, keys: commonKeys(rows) };
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

function readJson(bytes: Uint8Array | undefined): { json: string; value: object } {
  try {
    const json = utf8.decode(bytes);
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null) return { json, value };
  } catch {
    // It is not UTF-8 or not JSON.
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
  const isSame = keysOf.every((keys) => keys.length === first.length && keys.every((key) => known.has(key)));
  return isSame ? first : undefined;
}
