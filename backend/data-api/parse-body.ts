import { isNestedTooDeeply } from "#backend/http/json-depth";
import { refusals } from "./refusals.ts";

export interface Payload {
  /**
   * An array of objects, in the text of the body. PostgreSQL parses it, because JavaScript's `JSON.parse` loses digits of
   * long numbers.
   */
  json: string;
  rowCount: number;
  /** The keys of all rows. */
  keys: string[];
}

/**
 * The maximum number of rows in one insert. PostgREST has no such limit. But a trigger may take a lock for each row,
 * and PostgreSQL has room for only some thousand locks of all callers together.
 */
const insertedRowsMax = 1000;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Accepts a JSON object or, for an insert, an array of objects (docs/protocol.md#insert). */
export function parsePayload(bytes: Uint8Array | undefined, mayBeArray: boolean): Payload {
  const { json, value } = readJson(bytes);
  const isArray = mayBeArray && Array.isArray(value);
  const rows: unknown[] = isArray ? value : [value];
  if (!rows.every((row) => typeof row === "object" && row !== null && !Array.isArray(row)))
    throw refusals.invalidJson();
  if (rows.length > insertedRowsMax) throw refusals.tooManyRows(insertedRowsMax);
  if (isNestedTooDeeply(json)) throw refusals.tooDeep("body");
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
  return { json: isArray ? json : `[${json}]`, rowCount: rows.length, keys };
}

function readJson(bytes: Uint8Array | undefined): { json: string; value: unknown } {
  try {
    const json = utf8.decode(bytes);
    return { json, value: JSON.parse(json) };
  } catch {
    // It is not UTF-8 or not JSON.
    throw refusals.invalidJson();
  }
}
