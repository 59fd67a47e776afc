import { negotiate } from "@fastify/accept-negotiator";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Asset, Encoding } from "./assets.ts";

const preferred: readonly Encoding[] = ["br", "gzip", "identity"];

/** Sends a built file in the best encoding the browser takes, or 304 when it has it already (RFC 9110, section 13). */
export function sendAsset(asset: Asset, request: FastifyRequest, reply: FastifyReply, status = 200): FastifyReply {
  const encoding = encodingFor(asset, request.headers["accept-encoding"]);
  // A strong tag names one sequence of bytes, so each encoding has its own.
  const tag = `"${asset.hash}-${encoding}"`;

  reply.header("etag", tag).header("cache-control", asset.cacheControl).header("vary", "Accept-Encoding");
  setPagePolicy(asset, reply);
  if (status === 200 && matches(request.headers["if-none-match"], tag)) return reply.code(304).send();

  if (encoding !== "identity") reply.header("content-encoding", encoding);
  return reply.code(status).type(asset.type).send(asset.bodies[encoding]);
}

export function setPagePolicy(asset: Asset, reply: FastifyReply) {
  // A <meta> cannot say who may frame the page, so the header repeats the page's policy and adds that.
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
