import { STATUS_CODES } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { pageMessages } from "#content/messages";
import { fastifyRefusal } from "#server/http/fastify-errors";
import { Refusal } from "#server/http/refusal";
import type { Asset } from "./assets.ts";
import { parseHtml, sendAsset, sendFilledPage } from "./send-asset.ts";

/** Sets the answers to unknown paths and errors, for every route without error handling of its own. */
export function setErrorPages(app: FastifyInstance, assets: ReadonlyMap<string, Asset>) {
  app.setNotFoundHandler((request, reply) => sendNotFound(assets, request, reply));
  app.setErrorHandler((error, request, reply) => sendErrorPage(assets, error, request, reply));
}

/** Answers an unknown path: the 404 page to a browser, JSON to a program (docs/specification.md#unknown-path). */
export function sendNotFound(assets: ReadonlyMap<string, Asset>, request: FastifyRequest, reply: FastifyReply) {
  const page = assets.get("/404");
  if (page && wantsPage(request)) return sendAsset(page, request, reply, 404);
  return reply.code(404).send({ message: "Not Found" });
}

/** Browsers name HTML in the header `Accept` only when they open a page. */
function wantsPage(request: FastifyRequest): boolean {
  return request.headers.accept?.includes("text/html") ?? false;
}

/** Answers every error outside the two APIs: the error page or a line of JSON (docs/specification.md#error-screen). */
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

  const document = parseHtml(page.bodies.identity.toString());
  document("[data-error-message]").text(message);
  return sendFilledPage(page, document.html(), reply, status);
}

function refusalOf(error: unknown): { status: number; message: string } | undefined {
  if (error instanceof Refusal) return error;
  const refused = fastifyRefusal(error);
  return refused && { status: refused.status, message: STATUS_CODES[refused.status] ?? "Bad Request" };
}
