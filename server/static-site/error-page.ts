import { STATUS_CODES } from "node:http";
import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { fastifyRefusal, Refusal } from "#backend/http/refusal";
import { pageMessages } from "#content/messages";
import type { Asset } from "./assets.ts";
import { fillText } from "./fill-html.ts";
import { sendAsset, sendFilledPage } from "./send-asset.ts";

/** Sets the answers to unknown paths and errors, for every route without error handling of its own. */
export function setErrorPages(app: FastifyInstance, assets: ReadonlyMap<string, Asset>) {
  app.setNotFoundHandler((request, reply) => sendNotFound(assets, request, reply));
  app.setErrorHandler((error, request, reply) => sendErrorPage(assets, error, request, reply));
}

/** Answers an unknown path: the 404 page, or JSON if the client prefers it (docs/specification.md#unknown-path). */
export function sendNotFound(assets: ReadonlyMap<string, Asset>, request: FastifyRequest, reply: FastifyReply) {
  const page = assets.get("/404");
  if (page && wantsPage(request)) return sendAsset(page, request, reply, 404);
  return reply.code(404).send({ message: "Not Found" });
}

// If a client prefers none of its types, the first one in its header counts: a program that names JSON beside `*/*`
// gets JSON.
const answerTypes = ["text/html", "application/json", "*/*"];

/** A client that names no type, such as curl or a checker of links, gets the page. */
function wantsPage({ headers: { accept = "" } }: FastifyRequest): boolean {
  return negotiate(accept, answerTypes) !== "application/json";
}

/** Answers every error outside the two APIs: the error page or a line of JSON (docs/specification.md#error-screen). */
export function sendErrorPage(
  assets: ReadonlyMap<string, Asset>,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const refusal = refusalOf(error);
  // The logger of a page has no request id (server/static-site/page-routes.ts), so the line names it.
  if (!refusal) request.server.log.error({ requestId: request.id, err: error }, "A request failed.");

  const status = refusal?.status ?? 500;
  const message = refusal?.message ?? STATUS_CODES[500] ?? pageMessages.unexpected;
  const page = assets.get("/error");
  if (!page || !wantsPage(request)) return reply.code(status).send({ message });

  return sendFilledPage(page, messageTag, (tag) => fillText(tag, "data-error-message", message), reply, status);
}

const messageTag = /<[^<>]* data-error-message[^<>]*>/;

function refusalOf(error: unknown): { status: number; message: string } | undefined {
  if (error instanceof Refusal) return error;
  const refused = fastifyRefusal(error, () => "");
  return refused && { status: refused.status, message: STATUS_CODES[refused.status] ?? "Bad Request" };
}
