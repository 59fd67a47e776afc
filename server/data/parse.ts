import { type Payload, parsePayload } from "./parse-body.ts";
import { type Filter, isFilter, parseFilter } from "./parse-filter.ts";
import {
  type Media,
  type Preferences,
  parseAccept,
  parsePreferences,
  parseWindow,
  type Window,
} from "./parse-headers.ts";
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

/** A parsed request. Only the planner checks whether the table or function exists. */
export interface DataRequest {
  method: "GET" | "HEAD" | "POST" | "PATCH" | "DELETE";
  target: { kind: "table" | "function"; schema: string; name: string };
  media: Media;
  preferences: Preferences;
  select: SelectItem[];
  filters: Filter[];
  order: OrderTerm[];
  window: Window;
  /** The body of a POST (rows or arguments) or a PATCH (one object), and the columns to write. */
  payload: Payload | undefined;
  columns: string[] | undefined;
  /** The arguments of a function that is called by GET or HEAD. Their values are text. */
  queryArguments: Map<string, string>;
  /** The query parameters, sorted by name, for the header `Content-Location`. */
  canonicalQuery: string;
}

const reserved = ["select", "columns", "on_conflict", "order", "limit", "offset", "apikey"];

/** Stage one. Throws a refusal for anything that cannot be read (docs/protocol.md#paths-and-methods). */
export function parseRequest(raw: RawRequest, schemas: readonly string[]): DataRequest {
  const resource = parsePath(raw.path);
  const method = checkMethod(raw.method, resource.kind);
  const target = { ...resource, schema: chooseSchema(raw, schemas) };

  const parameters = raw.query === "" ? [] : [...new URLSearchParams(raw.query)].filter(([name]) => name !== "apikey");
  // If a parameter is given twice, the first value counts: a proxy in front of the server may check only the first.
  const parameter = (name: string) => parameters.find(([each]) => each === name)?.[1];
  if (method === "PATCH" || method === "DELETE") refuseWindow(parameters);
  const unreserved = parameters.filter(([name]) => !reserved.includes(name));
  const isArgument = ([name, value]: [string, string]) =>
    target.kind === "function" && method !== "POST" && !isFilter(name, value);

  return {
    method,
    target,
    media: parseAccept(raw.headers.accept),
    preferences: parsePreferences(raw.headers.prefer),
    select: parseSelect(parameter("select")),
    // Filters of an insert are ignored, as in PostgREST.
    filters: isInsert(method, target.kind)
      ? []
      : unreserved.filter((each) => !isArgument(each)).map(([name, value]) => parseFilter(name, value)),
    order: parseOrder(parameter("order")),
    window: parseWindow(parameter("limit"), parameter("offset"), method === "GET" ? raw.headers.range : undefined),
    payload: method === "POST" || method === "PATCH" ? readPayload(raw, target.kind) : undefined,
    columns: parseColumns(parameter("columns")),
    queryArguments: new Map(unreserved.filter(isArgument)),
    canonicalQuery: sortedQuery(parameters),
  };
}

function isInsert(method: string, kind: DataRequest["target"]["kind"]): boolean {
  return method === "POST" && kind === "table";
}

function parsePath(path: string): { kind: "table" | "function"; name: string } {
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
  throw method === "PUT" ? refusals.putRow() : refusals.method(method);
}

/** PostgREST ignores both here, so it would change more rows than the request seems to ask for. */
function refuseWindow(parameters: [string, string][]) {
  if (parameters.some(([name]) => name === "limit" || name === "offset")) throw refusals.limitedChange();
}

function chooseSchema({ method, headers }: RawRequest, schemas: readonly string[]): string {
  const profile = method === "GET" || method === "HEAD" ? headers["accept-profile"] : headers["content-profile"];
  const schema = profile ?? schemas[0] ?? "public";
  if (!schemas.includes(schema)) throw refusals.unknownSchema(schema, schemas);
  return schema;
}

/** A function may be called without a body; an insert and an update need one. An update accepts an array of one object. */
function readPayload({ method, body, headers }: RawRequest, kind: "table" | "function"): Payload {
  const isEmpty = !body || body.length === 0;
  if (isEmpty && kind === "function") return { json: "{}", isArray: false, rowCount: 1, keys: [] };
  const payload = parsePayload(body, headers["content-type"]);
  const mayBeArray = isInsert(method, kind) || (method === "PATCH" && payload.rowCount === 1);
  if (payload.isArray && !mayBeArray) throw refusals.invalidJson();
  return payload;
}

function sortedQuery(parameters: [string, string][]): string {
  const sorted = parameters.toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
  return new URLSearchParams(sorted).toString();
}
