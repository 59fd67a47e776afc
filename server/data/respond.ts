import type { FastifyReply } from "fastify";
import type { DataRequest } from "./parse.ts";
import type { Outcome } from "./run.ts";
import type { Statement } from "./write-sql.ts";

/**
 * Stage four: sends the status, headers and body of a successful answer (docs/protocol.md#select,
 * docs/protocol.md#insert-answers, docs/protocol.md#update-and-delete).
 */
export function respond(reply: FastifyReply, request: DataRequest, statement: Statement, outcome: Outcome) {
  const { method, target, isSingle, returnsRows, offset } = request;
  const { body, returned, total } = outcome;
  const isRead = target.kind === "function" || method === "GET" || method === "HEAD";

  const first = isRead ? offset : method === "PATCH" ? 0 : undefined;
  const rows = first === undefined || returned === 0 ? "*" : `${first}-${first + returned - 1}`;
  reply.header("content-range", `${rows}/${total ?? "*"}`);

  if (statement.isVoid) return reply.code(204).send();
  if (isRead) reply.code(total !== undefined && returned < total ? 206 : 200);
  else reply.code(method === "POST" ? 201 : returnsRows ? 200 : 204);
  if (!isRead && !returnsRows) return reply.send();

  reply.header("content-type", `application/${isSingle ? "vnd.pgrst.object+json" : "json"}; charset=utf-8`);
  // The JSON text of PostgreSQL is sent unchanged.
  return method === "HEAD" ? reply.send() : reply.send(body ?? "null");
}
