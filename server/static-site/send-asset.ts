import { Readable } from "node:stream";
import { Negotiator } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Answer, Asset, Encoding } from "./assets.ts";

/**
 * Sends a built file in the best encoding that the browser accepts, or 304 if the browser has it (RFC 9110). It writes to
 * Node's response directly: Fastify's reply and its `onSend` hooks cost more than the file itself
 * (docs/architecture.md#fastify-and-pages-from-memory).
 */
export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply, status = 200) {
  const { "accept-encoding": accepted, "if-none-match": known } = request.raw.headers;
  const encoding = encodingFor(asset, accepted);
  asset.answers ??= {};
  asset.answers[encoding] ??= makeAnswer(asset, encoding);
  const { body, tag, headers, headersIfUnchanged } = asset.answers[encoding];

  reply.hijack();
  if (status === 200 && known !== undefined && matches(known, tag)) {
    reply.raw.writeHead(304, withId(headersIfUnchanged, request.id)).end();
  } else {
    reply.raw.writeHead(status, withId(headers, request.id)).end(body);
  }
}

/**
 * All requests share the array: Node reads it before `writeHead` returns, so the next one may change its last value.
 */
function withId(headers: string[], id: string): string[] {
  headers[headers.length - 1] = id;
  return headers;
}

function makeAnswer(asset: Asset, encoding: Encoding): Answer {
  const body = asset.bodies[encoding] ?? asset.bodies.identity;
  // A strong ETag stands for exact bytes, so each encoding has its own.
  const tag = `"${asset.hash}-${encoding}"`;
  const always = {
    ...asset.siteHeaders,
    etag: tag,
    "cache-control": asset.cacheControl,
    vary: "Accept-Encoding",
    ...pagePolicy(asset),
    // The contact form reads the page that was visited first from it. Other pages can have secrets in their addresses.
    ...(asset.isListed && { "referrer-policy": "strict-origin-when-cross-origin" }),
    // Link previews and search results on other sites show our images.
    ...(asset.type.startsWith("image/") && { "cross-origin-resource-policy": "cross-origin" }),
  };
  const ofBody = {
    ...(encoding !== "identity" && { "content-encoding": encoding }),
    "content-type": asset.type,
    "content-length": String(body.length),
  };
  const ofRequest = { "x-request-id": "" };
  return {
    body,
    tag,
    headers: Object.entries({ ...always, ...ofBody, ...ofRequest }).flat(),
    headersIfUnchanged: Object.entries({ ...always, ...ofRequest }).flat(),
  };
}

type Fill = (part: string) => string;

/**
 * Sends a page whose part that matches `pattern` is filled in for one request: it is not cached. All answers that wait for
 * their clients share the rest of the page.
 */
export function sendFilledPage(page: Asset, pattern: RegExp, fill: Fill, reply: FastifyReply, status: number) {
  page.template ??= cut(page, pattern);
  const { before, part, after } = page.template;
  return reply
    .code(status)
    .headers({ "cache-control": "no-store", ...pagePolicy(page) })
    .type(page.type)
    .send(Readable.from([before, Buffer.from(fill(part)), after]));
}

function cut({ bodies }: Asset, pattern: RegExp) {
  const html = bodies.identity.toString();
  const [part] = pattern.exec(html) ?? [""];
  const begin = html.indexOf(part);
  return { before: Buffer.from(html.slice(0, begin)), part, after: Buffer.from(html.slice(begin + part.length)) };
}

function pagePolicy({ contentSecurityPolicy }: Asset) {
  // `frame-ancestors` has no effect in a <meta>, so the header repeats the page's policy and adds this directive.
  const policy = contentSecurityPolicy?.replace(/[;\s]+$/, "");
  return policy && { "content-security-policy": `${policy}; frame-ancestors 'none'` };
}

/** Caches the best encoding for each value of `Accept-Encoding`. Browsers send few values; unusual ones are dropped. */
const chosen = new Map<string, string>();
const chosenMax = 100;
const negotiator = new Negotiator({ supportedValues: ["br", "gzip", "identity"], cache: chosen });

function encodingFor({ bodies }: Asset, accepted = ""): Encoding {
  if (chosen.size > chosenMax) chosen.clear();
  const best = negotiator.negotiate(accepted) as Encoding | null;
  return best && bodies[best] ? best : "identity";
}

function matches(header: string, tag: string): boolean {
  return header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === tag);
}
