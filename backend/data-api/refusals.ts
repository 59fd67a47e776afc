import { invalidToken, Refusal } from "#backend/http/refusal";
import type { Routine } from "./catalogue.ts";

const refuse = (status: number, code: string, message: string, details: string | null = null) =>
  new Refusal(status, code, message, { details });
const invalidBody = (message: string) => refuse(400, "PGRST102", message);
const parseError = (message: string, details: string) => refuse(400, "PGRST100", message, details);
const notImplemented = (details: string) => refuse(400, "PGRST127", "Feature not implemented", details);
const outOfRange = (details: string, headers: Readonly<Record<string, string>> = {}) =>
  new Refusal(416, "PGRST103", "Requested range not satisfiable", { details, headers });

const parametersOf = ({ parameters }: Routine) =>
  parameters
    .map(({ name }) => name)
    .toSorted()
    .join(", ");
const signature = ({ name, parameters }: Routine) =>
  `public.${name}(${parameters.map((each) => `${each.name} => ${each.type}`).join(", ")})`;

/**
 * All refusals of the data API except those about the API key and about a token's signature, claims and session
 * (docs/protocol.md#data-api).
 */
export const refusals = {
  // docs/protocol.md#token-check
  emptyToken: () => invalidToken("PGRST301", "Empty JWT is sent in Authorization header"),
  notThreeParts: (parts: number) => invalidToken("PGRST301", `Expected 3 parts in JWT; got ${parts}`),

  // The request cannot be read: docs/protocol.md#insert and docs/protocol.md#filters.
  parseError: (what: string, text: string, column: number, details: string) =>
    parseError(`"failed to parse ${what} (${text})" (line 1, column ${column})`, details),
  tooDeep: (what: string) => parseError(`"failed to parse ${what}"`, "Nested too deeply"),
  invalidJson: () => invalidBody("Empty or invalid json"),
  differentKeys: () => invalidBody("All object keys must match"),
  contentType: (type: string) => invalidBody(`Content-Type not acceptable: ${type}`),
  invalidPreferences: (names: readonly string[]) =>
    refuse(
      400,
      "PGRST122",
      "Invalid preferences given with handling=strict",
      `Invalid preferences: ${names.join(", ")}`,
    ),
  /** The words of pg-safeupdate, which hosted projects preload. */
  noFilter: (command: "UPDATE" | "DELETE") => new Refusal(400, "21000", `${command} requires a WHERE clause`),
  tooManyRows: (most: number) => new Refusal(413, "PGRST102", `One request may insert at most ${most} rows`),

  // docs/protocol.md#row-window and docs/protocol.md#media-types
  negativeLimit: () => outOfRange("Limit should be greater than or equal to zero."),
  offsetBeyondTotal: (offset: number, total: number) =>
    outOfRange(`An offset of ${offset} was requested, but there are only ${total} rows.`, {
      "content-range": `*/${total}`,
    }),
  notOneRow: (rows: number) =>
    refuse(406, "PGRST116", "Cannot coerce the result to a single JSON object", `The result contains ${rows} rows`),
  tooManyAffected: (rows: number) =>
    refuse(
      400,
      "PGRST124",
      "Query result exceeds max-affected preference constraint",
      `The query affects ${rows} rows`,
    ),
  unsupportedMediaType: (types: string) =>
    new Refusal(406, "PGRST107", `None of these media types are available: ${types}`),

  // A name in the request is not in the catalogue.
  unknownSchema: (schema: string) =>
    new Refusal(406, "PGRST106", `Invalid schema: ${schema}`, {
      hint: "Only the following schemas are exposed: public",
    }),
  unknownTable: (table: string) =>
    new Refusal(404, "PGRST205", `Could not find the table 'public.${table}' in the schema cache`),
  unknownColumnToWrite: (table: string, column: string) =>
    new Refusal(400, "PGRST204", `Could not find the '${column}' column of '${table}' in the schema cache`),
  unknownColumn: (table: string, column: string) =>
    new Refusal(400, "42703", `column ${table}.${column} does not exist`),
  unknownType: (type: string) => new Refusal(400, "42704", `type "${type}" does not exist`),
  unknownRelationship: (table: string, other: string) =>
    refuse(
      400,
      "PGRST200",
      `Could not find a relationship between '${table}' and '${other}' in the schema cache`,
      `Searched for a foreign key relationship between '${table}' and '${other}' in the schema 'public', but no matches were found.`,
    ),
  unknownFunction: (name: string, argumentNames: readonly string[], near: Routine | undefined) => {
    const list = argumentNames.join(", ");
    const searched = list ? `with parameter${argumentNames.length > 1 ? "s" : ""} ${list}` : "without parameters";
    const message = `Could not find the function public.${name}${list ? `(${list})` : " without parameters"} in the schema cache`;
    return new Refusal(404, "PGRST202", message, {
      details: `Searched for the function public.${name} ${searched}, but no matches were found in the schema cache.`,
      hint: near ? `Perhaps you meant to call the function public.${name}(${parametersOf(near)})` : null,
    });
  },
  ambiguousFunction: (candidates: readonly Routine[]) => {
    const message = `Could not choose the best candidate function between: ${candidates.map(signature).join(", ")}`;
    const hint =
      "Try renaming the parameters or the function itself in the database so function overloading can be resolved";
    return new Refusal(300, "PGRST203", message, { hint });
  },

  // docs/protocol.md#paths-and-methods
  unknownPath: () => new Refusal(404, "PGRST125", "Invalid path specified in request URL"),
  functionMethod: (method: string) =>
    new Refusal(405, "PGRST101", `Cannot use the ${method} method on RPC`, { headers: { allow: "GET, HEAD, POST" } }),
  writeOfReader: (cause: Error) => new Refusal(405, "25006", cause.message, { headers: { allow: "POST" }, cause }),
  method: (method: string) =>
    new Refusal(405, "PGRST117", `Unsupported HTTP method: ${method}`, {
      details: method === "PUT" ? "This server changes rows by PATCH; it does not replace them." : null,
      headers: { allow: "GET, HEAD, POST, PATCH, DELETE" },
    }),

  // Features of hosted Supabase that the site does not use: docs/protocol.md#calls-of-the-client.
  /** PostgREST's message when its OpenAPI description is switched off. */
  rootDocument: () => new Refusal(404, "PGRST126", "Root endpoint metadata is disabled"),
  limitedChange: () => notImplemented("This server changes all rows that match the filters: send no limit or offset."),
  upsert: () => notImplemented("This server does not resolve duplicates: send no Prefer: resolution."),
  /** A JSON path, such as `data->key`, in a select, filter or order. */
  jsonPath: () => notImplemented("This server does not follow JSON paths with -> or ->>."),
  /** Aggregate functions, such as `id.count()`. Hosted projects refuse them by default as well. */
  aggregate: () => new Refusal(400, "PGRST123", "Use of aggregate functions is not allowed"),

  // docs/protocol.md#unavailable-database
  databaseGone: (cause: unknown) =>
    new Refusal(503, "PGRST001", "Database client error. Retrying the connection.", {
      cause,
      headers: { "retry-after": "1" },
    }),
  poolTimeout: (cause: unknown) =>
    new Refusal(504, "PGRST003", "Timed out acquiring connection from connection pool.", { cause }),
} as const;
