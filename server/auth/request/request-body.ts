import type { FastifyRequest } from "fastify";
import { z } from "zod";
import { refusals } from "../refusals.ts";

/** As upstream (protocol section 3). */
export const bodyBytesMax = 1024 * 1024;

/** More than any honest body has, and few enough for PostgreSQL and JSON.stringify, which both read by recursion. */
const nestingMax = 50;

/** A text that may be missing or null, which then is empty. */
export const text = z
  .string()
  .nullish()
  .transform((value) => value ?? "");

/**
 * Every body is read as JSON, whatever its content type says, as upstream does. The client declares JSON and sends
 * nothing with a sign-out: an empty body is no body (protocol section 0, trap 1).
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

/** The body as `schema` wants it. Unknown keys are ignored (protocol section 2.2). */
export function readBody<T extends z.ZodType>(request: FastifyRequest, schema: T): z.output<T> {
  const read = schema.safeParse(request.body);
  if (read.success) return read.data;
  const at = read.error.issues[0]?.path.join(".");
  throw refusals.badJson(at ? `${at} has the wrong type` : "it is not an object");
}

/** What PostgreSQL could not store: refused here, where it is still the caller's mistake. Walks without recursion. */
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
