import type { FastifyRequest } from "fastify";
import { queryText } from "./query.ts";

/**
 * Where a mailed link may end (protocol section 2.7): any page of this site, else its front page. Tokens travel in the
 * address's fragment, so another origin would be handed a session.
 */
export function readRedirectTarget(request: FastifyRequest, siteUrl: string): URL {
  const header = request.headers.redirect_to;
  const asked = typeof header === "string" && header ? header : queryText(request, "redirect_to");
  const home = new URL("/", siteUrl);
  if (!asked || !URL.canParse(asked)) return home;

  const target = new URL(asked);
  if (target.origin !== home.origin || target.username || target.password) return home;
  target.hash = "";
  return target;
}

/** `target` with `values` in its fragment, sorted by their names. */
export function withFragment(target: URL, values: Record<string, string>): string {
  const fragment = new URLSearchParams(values);
  fragment.sort();
  const address = new URL(target);
  // Not through `hash`: the words are encoded already.
  address.hash = "";
  return `${address}#${fragment}`;
}
