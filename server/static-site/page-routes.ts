import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { redirects } from "#content/redirects";
import type { VisitCounter } from "#server/visits/visit-counter";
import type { Asset } from "./assets.ts";
import { sendNotFound } from "./error-page.ts";
import { sendAsset } from "./send-asset.ts";

/** These pages are sent only with the status of an error, never at their own address. */
const errorPages: ReadonlySet<string> = new Set(["/404", "/error"]);

interface PageRoutesOptions {
  assets: ReadonlyMap<string, Asset>;
  visits?: VisitCounter | undefined;
}

/** Serves the built pages (docs/specification.md#path-spelling). */
export async function pageRoutes(app: FastifyInstance, options: PageRoutesOptions) {
  // A page makes no logger with the id of its request, because few lines are ever logged. Those name the id.
  app.setChildLoggerFactory((logger) => logger);
  app.get("/*", (request, reply) => sendPage(options, request, reply));
}

function sendPage({ assets, visits }: PageRoutesOptions, request: FastifyRequest, reply: FastifyReply) {
  // All paths of the site are plain ASCII, so a path is compared as it was sent, never decoded.
  const [path = ""] = request.url.split("?", 1);
  const asset = errorPages.has(path) || path in redirects ? undefined : assets.get(path);
  if (asset) {
    sendAsset(asset, request, reply);
    if (asset.isListed && reply.raw.statusCode === 200) visits?.count(request.raw);
    return;
  }

  const canonical = canonicalPath(path);
  if (canonical !== path && !errorPages.has(canonical) && assets.has(canonical)) {
    return reply.redirect(canonical + request.url.slice(path.length), 301);
  }
  return sendNotFound(assets, request, reply);
}

/**
 * The page that a path leads to, for any spelling of the path (docs/specification.md#path-spelling). The build has a
 * file for each redirect too, for servers without redirects of their own; this server sends none of them.
 */
function canonicalPath(path: string): string {
  const trimmed = path.replace(trailingSlashes, "").replace(/(?:\/index)?(?:\.html)?$/, "") || "/";
  return redirects[trimmed] ?? trimmed;
}

/**
 * Only the first of several slashes begins a match. Otherwise each of them would, and a path of 15,000 slashes with a
 * letter at its end would keep the server from all other requests for 75 ms.
 */
const trailingSlashes = /(?<!\/)\/+$/;
