import type { FastifyRequest } from "fastify";
import { isNestedTooDeeply, readJson } from "#backend/http/request-body";
import { refusals } from "./refusals.ts";

/** A parsed request. The next stage reads the texts of `select`, `order`, `columns` and the filters. */
export interface DataRequest {
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  target: { kind: "table" | "function"; name: string };
  select: string;
  filters: [name: string, text: string][];
  order: string;
  offset: number;
  limit: number;
  /** The body of a POST (rows or arguments) or a PATCH (one object), and the columns to write. */
  payload: Payload | undefined;
  columns: string;
  /** The answer must have exactly one row, and is this object. */
  isSingle: boolean;
  /** The answer to a write has the rows. */
  returnsRows: boolean;
  /** The answer has the number of all rows that match. */
  countsAll: boolean;
}

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
 * The maximum number of rows in one answer. Further rows are left out without an error, as in hosted Supabase projects
 * (docs/protocol.md#row-window).
 */
const rowsMax = 1000;

const reserved = ["select", "columns", "on_conflict", "order", "limit", "offset", "apikey"];

/** The path is `params["*"]`, without the prefix /rest/v1. */
type HttpRequest = Pick<FastifyRequest, "method" | "url" | "params" | "headers" | "body">;

/** Stage one. Throws a refusal for anything that cannot be read (docs/protocol.md#paths-and-methods). */
export function parseRequest(request: HttpRequest): DataRequest {
  const { url, params, headers } = request;
  const target = parsePath((params as { "*"?: string })["*"] ?? "");
  const method = checkMethod(request.method, target.kind);
  const isRead = method === "GET" || method === "HEAD";
  checkSchema(headers[isRead ? "accept-profile" : "content-profile"]);

  const parameters = new URLSearchParams(/\?.*$/s.exec(url)?.[0]);
  const body = request.body instanceof Uint8Array ? request.body : undefined;
  // PostgREST ignores both here, so it would change more rows than the request seems to ask for.
  const isChange = method === "PATCH" || method === "DELETE";
  if (isChange && (parameters.has("limit") || parameters.has("offset"))) throw refusals.limitedChange();
  // An insert ignores them, as in PostgREST, and so do its filters.
  const isInsert = method === "POST" && target.kind === "table";
  const mayBeEmpty = target.kind === "function" && !body?.length;

  return {
    ...parsePreferences(String(headers.prefer ?? "")),
    isSingle: parseAccept(headers.accept),
    method,
    target,
    select: parameters.get("select") || "*",
    filters: isInsert ? [] : [...parameters].filter(([name]) => !reserved.includes(name)),
    order: parameters.get("order") ?? "",
    offset: isInsert ? 0 : parseWindow(parameters.get("offset"), 0),
    limit: isInsert ? rowsMax : Math.min(parseWindow(parameters.get("limit"), rowsMax), rowsMax),
    payload: isRead || method === "DELETE" ? undefined : parsePayload(mayBeEmpty ? noArguments : body, isInsert),
    columns: parameters.get("columns") ?? "",
  };
}

const noArguments = Buffer.from("{}");

function parsePath(path: string): DataRequest["target"] {
  const [first = "", second, ...more] = path.split("/");
  if (first === "" && second === undefined) throw refusals.rootDocument();
  if (first === "rpc" && second && more.length === 0) return { kind: "function", name: second };
  if (first !== "" && second === undefined) return { kind: "table", name: first };
  throw refusals.unknownPath();
}

function checkMethod(method: string, kind: "table" | "function"): DataRequest["method"] {
  if (method === "POST") return method;
  if (kind === "function") throw refusals.functionMethod(method);
  if (method === "GET" || method === "HEAD" || method === "PATCH" || method === "DELETE") return method;
  throw refusals.method(method);
}

function checkSchema(profile: string | string[] = "public") {
  if (profile !== "public") throw refusals.unknownSchema(String(profile));
}

/** PostgreSQL accepts no larger limit or offset. */
function parseWindow(text: string | null, absent: number): number {
  if (text === null) return absent;
  if (!/^\d+$/.test(text)) throw refusals.notWhole(text);
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

const preferences = ["return=minimal", "return=representation", "return=headers-only", "count=exact"];

/** Another preference would be ignored to the client's surprise: `max-affected`, `tx=rollback` (docs/protocol.md#preferences). */
function parsePreferences(header: string): Pick<DataRequest, "returnsRows" | "countsAll"> {
  const given = header.split(",").flatMap((item) => item.trim() || []);
  const others = given.filter((item) => !preferences.includes(item));
  if (others.length > 0) throw refusals.preferences(others);
  return { returnsRows: given.includes("return=representation"), countsAll: given.includes("count=exact") };
}

const objectType = "application/vnd.pgrst.object+json";

/**
 * Whether the client wants one object in place of an array. The first type that this server writes counts. A variant,
 * such as `;nulls=stripped`, is another type (docs/protocol.md#media-types).
 */
function parseAccept(header = ""): boolean {
  const types = header.toLowerCase().split(",");
  const known = types.map((type) => type.replace(/;\s*(q|charset)=[^;]*/g, "").trim());
  const type = known.find((each) => ["", objectType, "application/json", "application/*", "*/*"].includes(each));
  if (type === undefined) throw refusals.unsupportedMediaType(header);
  return type === objectType;
}

/**
 * The maximum number of rows in one insert. PostgREST has no such limit. But a trigger may take a lock for each row,
 * and PostgreSQL has room for only some thousand locks of all callers together.
 */
const insertedRowsMax = 1000;

/** Accepts a JSON object or, for an insert, an array of objects (docs/protocol.md#insert). */
function parsePayload(bytes: Uint8Array | undefined, mayBeArray: boolean): Payload {
  const read = readJson(bytes);
  if (!read) throw refusals.invalidJson();
  const { json, value } = read;
  const isArray = mayBeArray && Array.isArray(value);
  const rows: unknown[] = isArray ? value : [value];
  if (!rows.every((row) => typeof row === "object" && row !== null && !Array.isArray(row)))
    throw refusals.invalidJson();
  if (rows.length > insertedRowsMax) throw refusals.tooManyRows(insertedRowsMax);
  if (isNestedTooDeeply(json)) throw refusals.tooDeep("body");
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row as object)))];
  return { json: isArray ? json : `[${json}]`, rowCount: rows.length, keys };
}
