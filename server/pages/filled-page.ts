import { type CheerioAPI, load } from "cheerio";
import type { FastifyReply } from "fastify";
import type { Asset } from "./assets.ts";
import { setPagePolicy } from "./send-asset.ts";

/**
 * A built page, to be filled in for one request. This parser's serialiser writes `<` and `>` in attributes as
 * entities too, so that what a visitor typed can be read by nobody as markup.
 */
export function parsePage(page: Asset): CheerioAPI {
  return load(page.bodies.identity.toString(), { xml: { xmlMode: false } });
}

/** Sends a page that was filled in for this one request: never stored, never compared. */
export function sendFilledPage(page: Asset, document: CheerioAPI, reply: FastifyReply, status: number): FastifyReply {
  setPagePolicy(page, reply);
  return reply.code(status).header("cache-control", "no-store").type(page.type).send(document.html());
}
