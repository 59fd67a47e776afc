import type { FastifyReply, FastifyRequest } from "fastify";
import { DatabaseError } from "pg";
import { classifyDatabaseError, explain, httpStatusOf, raisedStatus } from "#backend/database/errors";
import { fastifyRefusal, Refusal, unexpected } from "#backend/http/refusal";
import { refusals } from "./refusals.ts";

/** Answers every request that failed in the data API (docs/protocol.md#data-error-shape). */
export function sendDataError(error: unknown, request: FastifyRequest, reply: FastifyReply, anonymous: boolean) {
  const refusal = asRefusal(error, anonymous) ?? bug;
  if (refusal.status >= 500) request.log.error({ err: error }, explain(error) ?? "A request failed.");

  const { status, code, message, details, hint, headers } = refusal;
  reply.code(status).headers(headers).header("content-type", "application/json; charset=utf-8");
  // The two refusals about the API key carry no code, as at Supabase's gateway (docs/protocol.md#public-key).
  if (code === "") return reply.send({ message, hint });
  return reply.header("proxy-status", `PostgREST; error=${code}`).send({ code, message, details, hint });
}

const bug = unexpected("PGRSTX00");

const busyMessage = "The database cannot do this just now. Please try again in a moment.";

function asRefusal(error: unknown, anonymous: boolean): Refusal | undefined {
  if (error instanceof Refusal) return error;
  if (error instanceof DatabaseError) return fromPostgres(error, anonymous);
  if (!(error instanceof Error)) return undefined;
  return fastifyRefusal(error, () => "PGRST102") ?? fromConnection(error);
}

/**
 * Passes on PostgreSQL's message if the caller can do something about it: the triggers of this product raise messages
 * written for the visitor. The messages of other errors are about the inside of the server, such as process ids, locks
 * and paths, so they are only logged.
 */
function fromPostgres(error: DatabaseError, anonymous: boolean): Refusal {
  const { code = "XX000", detail = null, hint = null } = error;
  const kind = classifyDatabaseError(error);
  const listed = isAboutInside(error) ? 500 : httpStatusOf(code, error.message, anonymous);
  const status = kind === "broken" || (kind === "busy" && listed < 500) ? 503 : listed;
  const headers: Record<string, string> = {};
  if (status === 401) headers["www-authenticate"] = "Bearer";
  if (status === 503) headers["retry-after"] = "1";
  // A view that cannot be changed can only be read.
  if (status === 405) headers.allow = "GET, HEAD";
  if (status < 500 || raisedStatus(code)) {
    return new Refusal(status, code, error.message, { details: detail, hint, headers, cause: error });
  }
  return new Refusal(status, code, status === 500 ? bug.message : busyMessage, { headers, cause: error });
}

/** A constraint of a table that no caller can name: what a rule or the queue stores there is not the caller's. */
function isAboutInside({ schema }: DatabaseError): boolean {
  return schema !== undefined && schema !== "public";
}

/**
 * The refusal if PostgreSQL gave no answer: the connection was lost, or the wait for PostgreSQL took too long
 * (docs/protocol.md#unavailable-database).
 */
function fromConnection(error: Error): Refusal | undefined {
  const kind = classifyDatabaseError(error);
  if (kind === "busy") return refusals.poolTimeout(error);
  return kind === "broken" ? refusals.databaseGone(error) : undefined;
}
