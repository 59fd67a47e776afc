import type { FastifyRequest } from "fastify";
import type { AuthContext } from "../auth-context.ts";
import { queryText } from "../request-input.ts";

/** Longer URLs are refused: no real page has such a long URL. */
const charactersMax = 2000;

/** No other loopback hosts: another program may serve `*.localhost` or 127.0.0.2, and would get the tokens. */
const developmentHosts = ["localhost", "127.0.0.1", "[::1]"];

/**
 * The page to open after a mailed link was used: the requested page if it is on this site or AUTH_REDIRECT_URLS allows
 * it, else the front page (docs/protocol.md#redirect-targets). Its fragment gets the tokens of the session, so an open
 * redirect would give the session to another origin.
 */
export function readRedirectTarget(
  request: FastifyRequest,
  { siteUrl, redirectUrls }: Pick<AuthContext, "siteUrl" | "redirectUrls">,
): URL {
  const header = request.headers.redirect_to;
  const requested = typeof header === "string" && header ? header : queryText(request, "redirect_to");
  const home = new URL("/", siteUrl);
  const target = requested === undefined ? undefined : readPlainAddress(requested);
  // Refuse a path such as `//evil.example`: if a page later redirects to only this path, the browser reads
  // `evil.example` as the host and leaves the site.
  if (!target || target.pathname.startsWith("//")) return home;

  // During development another server, on another port, may serve the pages.
  const isDevelopment = [home, target].every(({ hostname }) => developmentHosts.includes(hostname));
  const isOurs = target.origin === home.origin || isDevelopment;
  return isOurs || redirectUrls.some((glob) => matches(glob, target)) ? target : home;
}

/** The URL `target` with `values` as its fragment. The values are sorted by name. */
export function withFragment(target: URL, values: Record<string, string>): string {
  const fragment = new URLSearchParams(values);
  fragment.sort();
  const address = new URL(target);
  // An assignment to `hash` would encode the values again.
  address.hash = "";
  return `${address}#${fragment}`;
}

/**
 * Parses an http or https URL and drops its fragment. Undefined if the URL parser had to repair it (`https:\\evil`,
 * `http://2130706433`, a tab inside a name): it is a mistake, or written to look like another one.
 */
function readPlainAddress(text: string): URL | undefined {
  if (text.length > charactersMax || /[^\x21-\x7e]|\\/.test(text) || !URL.canParse(text)) return undefined;
  const target = new URL(text);
  if (target.protocol !== "https:" && target.protocol !== "http:") return undefined;

  const [, written = ""] = /^([a-z]+:\/\/[^/?#]*)/i.exec(text) ?? [];
  const withoutDefaultPort = written.toLowerCase().replace(target.protocol === "https:" ? /:443$/ : /:80$/, "");
  // This also refuses a URL with a user name or password, because `origin` does not contain them.
  if (withoutDefaultPort !== target.origin) return undefined;

  target.hash = "";
  return target;
}

/**
 * `*` matches anything up to the next dot or slash, `**` anything. Host and path are compared separately: upstream
 * compares the whole address, so there `https://**.example.com` also matches `https://evil.example/.example.com`.
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
