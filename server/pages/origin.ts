import type { FastifyRequest } from "fastify";

/**
 * Whether a form was posted from a page of ours. Browsers say so in `Sec-Fetch-Site`, older ones in `Origin`; what is
 * no browser says neither and could not be tricked into posting either.
 */
export function isFromOurPage(request: FastifyRequest): boolean {
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined) return site === "same-origin" || site === "none";

  const { origin, host } = request.headers;
  return origin === undefined || (URL.canParse(origin) && new URL(origin).host === host);
}
