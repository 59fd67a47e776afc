import type { FastifyRequest } from "fastify";
import type { AuthContext } from "../auth-context.ts";
import { queryText } from "../request-input.ts";

/** Longer ones are no address that a page of ours or an operator's could have. */
const charactersMax = 2000;

/**
 * Where a mailed link may end (protocol section 2.7): any page of this site, or an address that AUTH_REDIRECT_URLS
 * allows; else the front page. Tokens travel in the address's fragment, so any other origin would be handed a session.
 * Unlike upstream, the page that the person came from decides nothing, and neither does their own machine, unless the
 * site itself is on it.
 */
export function readRedirectTarget(request: FastifyRequest, parts: Pick<AuthContext, "siteUrl" | "redirectUrls">): URL {
  const header = request.headers.redirect_to;
  const asked = typeof header === "string" && header ? header : queryText(request, "redirect_to");
  return redirectTarget(asked, parts);
}

export function redirectTarget(
  asked: string | undefined,
  { siteUrl, redirectUrls }: Pick<AuthContext, "siteUrl" | "redirectUrls">,
): URL {
  const home = new URL("/", siteUrl);
  const target = asked === undefined ? undefined : readPlainAddress(asked);
  // A page that goes on to such a path alone would leave for the site that its second slash names.
  if (!target || target.pathname.startsWith("//")) return home;

  const isOurs = target.origin === home.origin || (isLoopback(home) && isLoopback(target));
  return isOurs || redirectUrls.some((glob) => matches(glob, target)) ? target : home;
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

/**
 * An http address without its fragment, if it is written as it is read. A browser repairs much (`https:\\evil`,
 * `http://2130706433`, a tab inside a name), and what needs repair is either a mistake or meant to look like another.
 */
function readPlainAddress(asked: string): URL | undefined {
  if (asked.length > charactersMax || /[^\x21-\x7e]|\\/.test(asked) || !URL.canParse(asked)) return undefined;
  const target = new URL(asked);
  if (target.protocol !== "https:" && target.protocol !== "http:") return undefined;

  const [, written = ""] = /^([a-z]+:\/\/[^/?#]*)/i.exec(asked) ?? [];
  const withoutUsualPort = written.toLowerCase().replace(target.protocol === "https:" ? /:443$/ : /:80$/, "");
  // User and password, if there are any, are written but are not part of the origin.
  if (withoutUsualPort !== target.origin) return undefined;

  target.hash = "";
  return target;
}

/** While developing, the pages may come from another port than the server's. */
function isLoopback({ hostname }: URL): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(hostname);
}

/**
 * `*` stands for anything up to the next dot or slash, `**` for anything. Upstream compares the whole address, so that
 * `https://**.example.com` also fits `https://evil.example/.example.com`; here the host is compared with the host and
 * the rest with the rest.
 */
function matches(glob: string, target: URL): boolean {
  const [, origin = "", rest = ""] = /^([a-z]+:\/\/[^/?#]*)([^#]*)/i.exec(glob) ?? [];
  const path = target.pathname + target.search;
  return patternOf(origin.toLowerCase()).test(target.origin) && patternOf(rest || "/").test(path);
}

function patternOf(glob: string): RegExp {
  const parts = glob.split(/(\*\*|\*)/).map((part) => {
    if (part === "**") return ".*";
    return part === "*" ? "[^./]*" : part.replace(/[.+?^${}()|[\]\\]/g, "\\$&");
  });
  return new RegExp(`^${parts.join("")}$`);
}
