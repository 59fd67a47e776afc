import { STATUS_CODES } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageMessages } from "#content/messages";
import { fastifyRefusal } from "#server/http/fastify-errors";
import { Refusal } from "#server/http/refusal";
import type { Asset } from "./assets.ts";
import { parsePage, sendFilledPage } from "./filled-page.ts";
import { sendAsset } from "./send-asset.ts";

/** Answers for every route that does not answer for its own failures. */
export function setErrorPages(app: FastifyInstance, assets: ReadonlyMap<string, Asset>) {
  app.setNotFoundHandler((request, reply) => sendNotFound(assets, request, reply));
  app.setErrorHandler((error, request, reply) => sendErrorPage(assets, error, request, reply));
}

/** The unknown path: the 404 page for a browser, a line of JSON for anything else. */
export function sendNotFound(assets: ReadonlyMap<string, Asset>, request: FastifyRequest, reply: FastifyReply) {
  const page = assets.get("/404");
  if (page && wantsPage(request)) return sendAsset(page, request, reply, 404);
  return reply.code(404).send({ message: "Not Found" });
}

/** Whether a person looks at the answer: only a browser's navigation prefers HTML by name. */
function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes("text/html") ?? false;
}

/** The one place where a failure outside the two APIs becomes bytes: the generic screen, or a line of JSON. */
export function sendErrorPage(
  assets: ReadonlyMap<string, Asset>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refusal = refusalOf(error);
  if (!refusal) request.log.error(error);

  const status = refusal?.status ?? 500;
  const message = refusal?.message ?? STATUS_CODES[500] ?? pageMessages.unexpected;
  const page = assets.get("/error");
  if (!page || !wantsPage(request)) return reply.code(status).send({ message });

  const document = parsePage(page);
  document("[data-error-message]").text(message);
  return sendFilledPage(page, document, reply, status);
}

function refusalOf(error: unknown): { status: number; message: string } | undefined {
  if (error instanceof Refusal) return error;
  const refused = fastifyRefusal(error);
  return refused && { status: refused.status, message: STATUS_CODES[refused.status] ?? "Bad Request" };
}
