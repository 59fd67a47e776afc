import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { refusals } from "./refusals.ts";

/** The same limit as upstream's (docs/protocol.md#auth-request-bodies). */
export const bodyBytesMax = 1024 * 1024;

/**
 * How deeply the values of a body may be nested. PostgreSQL and JSON.stringify process nested values by recursion, so
 * values that are nested too deeply could overflow the stack.
 */
const nestingMax = 50;

/** A text that may be missing or null; it is then read as empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/**
 * Reads every body as JSON, whatever its content type, as upstream does. An empty body counts as none: on sign-out the
 * client declares JSON and sends nothing (docs/protocol.md#empty-json-bodies).
 */
export async function parseBody(_request: FastifyRequest, bytes: Buffer): Promise<unknown> {
  if (bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw refusals.badJson("it is not JSON");
  }
  const problem = findProblem(value);
  if (problem) throw refusals.badJson(problem);
  return value;
}

/** The body in the form of `schema`, without unknown keys. */
export function readBody<T extends z.ZodType>(request: FastifyRequest, schema: T): z.output<T> {
  const parsed = schema.safeParse(request.body);
  if (parsed.success) return parsed.data;
  const key = parsed.error.issues[0]?.path.join(".");
  throw refusals.badJson(key ? `${key} has the wrong type` : "it is not an object");
}

/**
 * Refuses a request for a link of the PKCE flow: its link would end at a page with a code, which only the browser that
 * asked for it can use (docs/protocol.md#auth-features-not-offered). In the implicit flow the client sends null.
 */
export function refusePkce({ code_challenge }: { code_challenge: string }) {
  if (code_challenge !== "") throw refusals.noPkce();
}

/** One value of the query string; the first value if the name is repeated. */
export function queryText(request: FastifyRequest, name: string): string | undefined {
  const value: unknown = (request.query as Record<string, unknown>)[name];
  const first: unknown = Array.isArray(value) ? value[0] : value;
  return typeof first === "string" && first !== "" ? first : undefined;
}

/**
 * Finds what PostgreSQL cannot store, so that the answer is 400 and not 500. It is a loop, because recursion into a
 * deeply nested body could overflow the stack.
 */
function findProblem(body: unknown): string | undefined {
  const open: { value: unknown; depth: number }[] = [{ value: body, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { value, depth } = next;
    if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed()))
      return "it holds invalid characters";
    if (typeof value !== "object" || value === null) continue;
    if (depth > nestingMax) return "it is nested too deeply";
    for (const [key, child] of Object.entries(value)) {
      open.push({ value: key, depth: depth + 1 }, { value: child, depth: depth + 1 });
    }
  }
  return undefined;
}
