import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Asset, Encoding } from "./assets.ts";

/** What an asset answers in one encoding. Only the request id depends on the request, so the rest is made once. */
interface Answer {
  body: Buffer;
  tag: string;
  /** Names and values in turn, as `writeHead` takes them without a copy. */
  headers: string[];
  headersIfUnchanged: string[];
}

/**
 * Sends a built file in the best encoding that the browser accepts, or 304 if the browser has it (RFC 9110). It writes to
 * Node's response directly: Fastify's reply and its `onSend` hooks cost more than the file itself
 * (docs/architecture.md#fastify-and-pages-from-memory).
 */
export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply, status = 200) {
  const { "accept-encoding": accepted, "if-none-match": known } = request.raw.headers;
  const { body, tag, headers, headersIfUnchanged } = answerOf(asset, encodingFor(asset, accepted));

  reply.hijack();
  if (status === 200 && known !== undefined && matches(known, tag)) {
    reply.raw.writeHead(304, withId(headersIfUnchanged, request.id)).end();
  } else {
    reply.raw.writeHead(status, withId(headers, request.id)).end(body);
  }
}

/** Node reads the headers before `writeHead` returns, so that the next request may change the last one. */
function withId(headers: string[], id: string): string[] {
  headers[headers.length - 1] = id;
  return headers;
}

const answers = new WeakMap<Asset, Partial<Record<Encoding, Answer>>>();

function answerOf(asset: Asset, encoding: Encoding): Answer {
  let made = answers.get(asset);
  if (!made) {
    made = {};
    answers.set(asset, made);
  }
  made[encoding] ??= makeAnswer(asset, encoding);
  return made[encoding];
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

/** Sends a page that was filled in for one request: it is not cached. */
export function sendFilledPage(page: Asset, html: string, reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .headers({ "cache-control": "no-store", ...pagePolicy(page) })
    .type(page.type)
    .send(html);
}

function pagePolicy({ contentSecurityPolicy }: Asset) {
  // `frame-ancestors` has no effect in a <meta>, so the header repeats the page's policy and adds this directive.
  const policy = contentSecurityPolicy?.replace(/[;\s]+$/, "");
  return policy && { "content-security-policy": `${policy}; frame-ancestors 'none'` };
}

const preferred: readonly Encoding[] = ["br", "gzip", "identity"];

/** The best encodings of a file that has all of them, by the value of `Accept-Encoding`: browsers send few values. */
const chosenEncodings = new Map<string, Encoding>();
const chosenEncodingsMax = 100;

function encodingFor({ bodies }: Asset, accepted: string | undefined): Encoding {
  if (accepted === undefined) return "identity";
  if (!bodies.br || !bodies.gzip)
    return negotiated(
      preferred.filter((encoding) => bodies[encoding]),
      accepted,
    );
  const known = chosenEncodings.get(accepted);
  if (known) return known;
  if (chosenEncodings.size >= chosenEncodingsMax) chosenEncodings.clear();
  const chosen = negotiated(preferred, accepted);
  chosenEncodings.set(accepted, chosen);
  return chosen;
}

function negotiated(available: readonly Encoding[], accepted: string): Encoding {
  const best = negotiate(accepted, [...available]);
  return available.find((encoding) => encoding === best) ?? "identity";
}

function matches(header: string, tag: string): boolean {
  return header.split(",").some((each) => each.trim() === "*" || each.trim().replace(/^W\//, "") === tag);
}
