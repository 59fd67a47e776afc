import type { FastifyReply, FastifyRequest } from "fastify";
import { classifyDatabaseError, explain, isTimeout } from "#backend/database/errors";
import { fastifyRefusal, Refusal, unexpected } from "#backend/http/refusal";
import { refusals } from "./refusals.ts";

/** The client reads `code` if the answer has this version (docs/protocol.md#auth-error-shape). */
const apiVersion = "2024-01-01";

const bug = unexpected("unexpected_failure");

/** The codes of Fastify's own refusals, by status (docs/protocol.md#auth-request-bodies). */
const fastifyCodes: Readonly<Record<number, string>> = { 408: "request_timeout", 413: "request_entity_too_large" };

/** The one place where an error of the auth API becomes an answer. */
export function sendAuthError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const refusal = asRefusal(error) ?? bug;
  const cause = refusal.cause ?? error;
  if (refusal.status >= 500) request.log.error({ err: cause }, explain(cause) ?? "A request failed.");

  const { status, code, message, details, hint, headers } = refusal;
  reply.code(status).headers(headers);
  if (code === "") return reply.send({ message, hint });

  reply.headers({ "x-sb-error-code": code, "x-supabase-api-version": apiVersion });
  return reply.send({ code, message, ...(code === "weak_password" && { weak_password: { reasons: [details] } }) });
}

function asRefusal(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;

  // Fastify's errors come first: a client that disconnects within its body causes ECONNRESET, like a lost PostgreSQL.
  const refused = fastifyRefusal(error, (status) => fastifyCodes[status] ?? "validation_failed");
  if (refused) return refused;

  // Any other database error is a bug of this server, not a mistake of the caller.
  const kind = classifyDatabaseError(error);
  if (kind === "busy" && isTimeout(error)) return refusals.timedOut(error);
  return kind === "broken" || kind === "busy" ? refusals.databaseUnavailable(error) : undefined;
}
