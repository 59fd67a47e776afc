import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { isNestedTooDeeply, readJson } from "#backend/http/request-body";
import { refusals } from "./refusals.ts";

/** Missing and null are read as empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/** The body in the form of `schema`, without unknown keys. */
export function readBody<T extends z.ZodType>(request: FastifyRequest, schema: T): z.output<T> {
  const parsed = schema.safeParse(parseBody(request.body as Buffer | undefined));
  if (parsed.success) return parsed.data;
  const key = parsed.error.issues[0]?.path.join(".");
  throw refusals.badJson(key ? `${key} has the wrong type` : "it is not an object");
}

/**
 * Reads every body as JSON, whatever its type, as upstream does. An empty one counts as none: on sign-out the client
 * declares JSON and sends nothing (docs/protocol.md#auth-request-bodies).
 */
function parseBody(bytes: Buffer | undefined): unknown {
  if (!bytes?.length) return undefined;
  const read = readJson(bytes);
  if (!read) throw refusals.badJson("it is not JSON");
  if (isNestedTooDeeply(read.json)) throw refusals.badJson("it is nested too deeply");
  if (unstorable.test(JSON.stringify(read.value))) throw refusals.badJson("it holds invalid characters");
  return read.value;
}

/** NUL or half of a pair of surrogates, which PostgreSQL cannot store. JSON.stringify writes both as escapes. */
const unstorable = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/**
 * Refuses the PKCE flow: its link would end at a page with a code, which only the browser that asked for it can use
 * (docs/protocol.md#calls-of-the-client). In the implicit flow the client sends null.
 */
export function refusePkce({ code_challenge }: { code_challenge: string }) {
  if (code_challenge !== "") throw refusals.noPkce();
}

/** The first value if the name is repeated. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value: unknown = (request.query as Record<string, unknown>)[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
}
