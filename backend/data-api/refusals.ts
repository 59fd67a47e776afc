import { Refusal } from "#backend/http/refusal";

const badRequest = (code: string, message: string, details: string | null = null) =>
  new Refusal(400, code, message, { details });
const parseError = (message: string, details: string) => badRequest("PGRST100", message, details);
const notImplemented = (details: string) => badRequest("PGRST127", "Feature not implemented", details);
const outOfRange = (details: string, headers: Readonly<Record<string, string>> = {}) =>
  new Refusal(416, "PGRST103", "Requested range not satisfiable", { details, headers });

/**
 * All refusals of the data API, except those about the API key and the token. The codes are PostgREST's
 * (docs/protocol.md#data-api).
 */
export const refusals = {
  // docs/protocol.md#paths-and-methods
  unknownPath: () => new Refusal(404, "PGRST125", "Invalid path specified in request URL"),
  /** PostgREST's message when its OpenAPI description is switched off. */
  rootDocument: () => new Refusal(404, "PGRST126", "Root endpoint metadata is disabled"),
  unknownSchema: (schema: string) =>
    new Refusal(406, "PGRST106", `Invalid schema: ${schema}`, {
      hint: "Only the following schemas are exposed: public",
    }),
  functionMethod: (method: string) =>
    new Refusal(405, "PGRST101", `Cannot use the ${method} method on RPC`, { headers: { allow: "POST" } }),
  method: (method: string) =>
    new Refusal(405, "PGRST117", `Unsupported HTTP method: ${method}`, {
      headers: { allow: "GET, HEAD, POST, PATCH, DELETE" },
    }),

  // docs/protocol.md#filters and docs/protocol.md#select
  parseError: (what: string, text: string, column: number, details: string) =>
    parseError(`"failed to parse ${what} (${text})" (line 1, column ${column})`, details),
  tooDeep: (what: string) => parseError(`"failed to parse ${what}"`, "Nested too deeply"),
  notPlainColumn: () =>
    notImplemented("This server selects * and names of columns: no alias, cast, JSON path, aggregate or other table."),

  // docs/protocol.md#row-window, docs/protocol.md#preferences and docs/protocol.md#media-types
  notWhole: (text: string) => outOfRange(`A limit and an offset are whole numbers from zero on, and not ${text}.`),
  offsetBeyondTotal: (offset: number, total: number) =>
    outOfRange(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
      "content-range": `*/${total}`,
    }),
  preferences: (given: readonly string[]) =>
    badRequest("PGRST122", "Invalid preferences given", `Invalid preferences: ${given.join(", ")}`),
  unsupportedMediaType: (types: string) =>
    new Refusal(406, "PGRST107", `None of these media types are available: ${types}`),
  notOneRow: (rows: number) =>
    new Refusal(406, "PGRST116", "Cannot coerce the result to a single JSON object", {
      details: `The result contains ${rows} rows`,
    }),

  // docs/protocol.md#insert and docs/protocol.md#update-and-delete
  invalidJson: () => badRequest("PGRST102", "Empty or invalid json"),
  tooManyRows: (most: number) => new Refusal(413, "PGRST102", `One request may insert at most ${most} rows`),
  /** The words of pg-safeupdate, which hosted projects preload. */
  noFilter: (command: "UPDATE" | "DELETE") => badRequest("21000", `${command} requires a WHERE clause`),
  limitedChange: () => notImplemented("This server changes all rows that match the filters: send no limit or offset."),

  // A name in the request is not in the catalogue.
  unknownTable: (table: string) =>
    new Refusal(404, "PGRST205", `Could not find the table 'public.${table}' in the schema cache`),
  unknownColumn: (table: string, column: string) => badRequest("42703", `column ${table}.${column} does not exist`),
  unknownColumnToWrite: (table: string, column: string) =>
    badRequest("PGRST204", `Could not find the '${column}' column of '${table}' in the schema cache`),
  unknownFunction: (name: string, argumentNames: readonly string[]) => {
    const searched = argumentNames.length > 0 ? `(${argumentNames.join(", ")})` : " without parameters";
    return new Refusal(404, "PGRST202", `Could not find the function public.${name}${searched} in the schema cache`);
  },
  ambiguousFunction: (name: string) =>
    new Refusal(300, "PGRST203", `Several functions public.${name} take these arguments: give them other parameters`),

  // docs/protocol.md#unavailable-database
  databaseGone: (cause: unknown) =>
    new Refusal(503, "PGRST001", "Database client error. Retrying the connection.", {
      cause,
      headers: { "retry-after": "1" },
    }),
  poolTimeout: (cause: unknown) =>
    new Refusal(504, "PGRST003", "Timed out acquiring connection from connection pool.", { cause }),
} as const;
