import { type Payload, parsePayload } from "./parse-body.ts";
import { type Filter, isFilter, parseFilter } from "./parse-filter.ts";
import { type Preferences, parseAccept, parsePreferences } from "./parse-headers.ts";
import { type OrderTerm, parseColumns, parseOrder, parseSelect, type SelectItem } from "./parse-select.ts";
import { refusals } from "./refusals.ts";

/** An HTTP request. The path is without the prefix /rest/v1. */
export interface RawRequest {
  method: string;
  path: string;
  query: string;
  headers: Readonly<Record<string, string | undefined>>;
  body: Uint8Array | undefined;
}

/** A parsed request. Only the next stage looks whether the table or function exists. */
export interface DataRequest extends Preferences {
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  target: { kind: "table" | "function"; name: string };
  /** The answer must have exactly one row, and is this object. */
  isSingle: boolean;
  select: SelectItem[];
  filters: Filter[];
  order: OrderTerm[];
  offset: number;
  limit: number | undefined;
  /** The body of a POST (rows or arguments) or a PATCH (one object), and the columns to write. */
  payload: Payload | undefined;
  columns: string[] | undefined;
  /** The arguments of a function that is called by GET or HEAD. */
  queryArguments: Map<string, string>;
}

const reserved = ["select", "columns", "on_conflict", "order", "limit", "offset", "apikey"];

/** Stage one. Throws a refusal for anything that cannot be read (docs/protocol.md#paths-and-methods). */
export function parseRequest(raw: RawRequest): DataRequest {
  const target = parsePath(raw.path);
  const method = checkMethod(raw.method, target.kind);
  checkSchema(raw);

  const parameters = new URLSearchParams(raw.query);
  const isInsert = method === "POST" && target.kind === "table";
  const isTableRead = target.kind === "table" && (method === "GET" || method === "HEAD");
  const preferences = parsePreferences(raw.headers.prefer);
  const mayHaveArguments = method !== "POST" && target.kind === "function";
  const others = [...parameters].filter(([name]) => !reserved.includes(name));
  const isArgument = ([name, value]: [string, string]) => mayHaveArguments && !isFilter(name, value);

  return {
    ...preferences,
    affectedMax: isInsert || isTableRead ? undefined : preferences.affectedMax,
    method,
    target,
    isSingle: parseAccept(raw.headers.accept),
    select: parseSelect(parameters.get("select"), target.name),
    // Filters of an insert are ignored, as in PostgREST.
    filters: isInsert ? [] : others.filter((each) => !isArgument(each)).map((each) => parseFilter(...each)),
    order: parseOrder(parameters.get("order")),
    ...(isInsert ? { offset: 0, limit: undefined } : parseWindow(method, parameters)),
    payload: method === "POST" || method === "PATCH" ? readPayload(raw, target.kind) : undefined,
    columns: parseColumns(parameters.get("columns")),
    queryArguments: new Map(others.filter(isArgument)),
  };
}

function parsePath(path: string): DataRequest["target"] {
  const [first = "", second, ...more] = path.replace(/^\//, "").split("/");
  if (first === "" && second === undefined) throw refusals.rootDocument();
  if (first === "rpc" && second && more.length === 0) return { kind: "function", name: second };
  if (first !== "" && second === undefined) return { kind: "table", name: first };
  throw refusals.unknownPath();
}

function checkMethod(method: string, kind: "table" | "function"): DataRequest["method"] {
  if (method === "GET" || method === "HEAD" || method === "POST") return method;
  if (kind === "function") throw refusals.functionMethod(method);
  if (method === "PATCH" || method === "DELETE") return method;
  throw refusals.method(method);
}

function checkSchema({ method, headers }: RawRequest) {
  const profile = method === "GET" || method === "HEAD" ? headers["accept-profile"] : headers["content-profile"];
  if (profile !== undefined && profile !== "public") throw refusals.unknownSchema(profile);
}

function parseWindow(method: string, parameters: URLSearchParams): Pick<DataRequest, "offset" | "limit"> {
  const limit = parseWholeNumber(parameters.get("limit"));
  const offset = parseWholeNumber(parameters.get("offset"));
  // PostgREST ignores both here, so it would change more rows than the request seems to ask for.
  const isChange = method === "PATCH" || method === "DELETE";
  if (isChange && (parameters.has("limit") || parameters.has("offset"))) throw refusals.limitedChange();
  if (limit !== undefined && limit < 0) throw refusals.negativeLimit();
  return { offset: Math.max(0, offset ?? 0), limit };
}

/** What is no number is ignored (docs/protocol.md#row-window). */
function parseWholeNumber(text: string | null): number | undefined {
  if (text === null || !/^-?\d+$/.test(text)) return undefined;
  // PostgreSQL accepts no larger limit or offset.
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** A function may be called without a body; an insert and an update need one. An update accepts an array of one object. */
function readPayload({ method, body, headers }: RawRequest, kind: "table" | "function"): Payload {
  if (kind === "function" && !body?.length) return { json: "{}", isArray: false, rowCount: 1, keys: [] };
  const payload = parsePayload(body, headers["content-type"]);
  const isRow = method === "PATCH" && payload.rowCount !== 1;
  if (payload.isArray && (kind === "function" || isRow)) throw refusals.invalidJson();
  return payload;
}
