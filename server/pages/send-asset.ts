import { negotiate } from "@fastify/accept-negotiator";
import { type CheerioAPI, load } from "cheerio/slim";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Asset, Encoding } from "./assets.ts";

const preferred: readonly Encoding[] = ["br", "gzip", "identity"];

/** Sends a built file in the best encoding that the browser accepts, or 304 if the browser has it (RFC 9110). */
export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply, status = 200): FastifyReply {
  const encoding = encodingFor(asset, request.headers["accept-encoding"]);
  // A strong ETag stands for exact bytes, so each encoding has its own.
  const tag = `"${asset.hash}-${encoding}"`;

  reply.header("etag", tag).header("cache-control", asset.cacheControl).header("vary", "Accept-Encoding");
  setPagePolicy(asset, reply);
  // Link previews and search results on other sites show our images.
  if (asset.type.startsWith("image/")) reply.header("cross-origin-resource-policy", "cross-origin");
  if (status === 200 && matches(request.headers["if-none-match"], tag)) return reply.code(304).send();

  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.code(status).type(asset.type).send(asset.bodies[encoding]);
}

/**
 * Parses HTML of a built page, to be filled in for one request. With these options, `html()` escapes `<` and `>` in attributes
 * too, so that a visitor's text never becomes markup (XSS).
 */
export function parseHtml(html: string): CheerioAPI {
  return load(html, { xml: { xmlMode: false } });
}

/** Sends a page that was filled in for one request: it is not cached. */
export function sendFilledPage(page: Asset, html: string, reply: FastifyReply, status: number): FastifyReply {
  setPagePolicy(page, reply);
  return reply.code(status).header("cache-control", "no-store").type(page.type).send(html);
}

function setPagePolicy(asset: Asset, reply: FastifyReply) {
  // `frame-ancestors` has no effect in a <meta>, so the header repeats the page's policy and adds this directive.
  if (asset.contentSecurityPolicy) {
    reply.header(
      "content-security-policy",
      `${asset.contentSecurityPolicy.replace(/[;\s]+$/, "")}; frame-ancestors 'none'`,
    );
  }
}

function encodingFor(asset: Asset, accepted: string | undefined): Encoding {
  const available = preferred.filter((encoding) => asset.bodies[encoding]);
  const best = accepted === undefined ? null : negotiate(accepted, [...available]);
  return available.find((encoding) => encoding === best) ?? "identity";
}

function matches(header: string | undefined, tag: string): boolean {
  if (!header) return false;
  return header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === tag);
}
