import type { FastifyBaseLogger, FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { identifiesSender, isLoopbackHost } from "#backend/http/ip-address";
import { isHealthPath, namedHost } from "./health/health-routes.ts";

/** Writes the one line of a request. */
export function logAnswer(log: FastifyBaseLogger, { id: requestId, method, url }: FastifyRequest, reply: FastifyReply) {
  const path = loggablePath(url);
  const milliseconds = Math.round(reply.elapsedTime);
  const level = isHealthPath(path) && reply.statusCode < 400 ? "debug" : "info";
  // Not `request.log`: that of a page has no request id.
  log[level]({ requestId, method, path, status: reply.statusCode, milliseconds }, "answered");
}

/**
 * Warns once about a proxy that TRUST_PROXY does not name, or that does not name its visitors: all of them share one
 * limit. And once about a host name that is neither the site's nor this machine's: links in mails lead elsewhere, and a
 * proxy may reach the developer's mailbox.
 */
export function warnOfProxies(app: FastifyInstance, trustsProxies: boolean, siteHost: string) {
  const warned = { proxy: false, host: false };
  // Most requests name the site as the one before.
  let lastHost: string | undefined;

  app.addHook("onRequest", (request, _reply, done) => {
    const requestId = request.id;
    if (!warned.proxy && request.headers["x-forwarded-for"] && !(trustsProxies && identifiesSender(request.ip))) {
      warned.proxy = true;
      app.log.warn(
        { requestId },
        trustsProxies
          ? "A proxy passes requests on and does not name the visitor's public address: such visitors are limited as one."
          : "A proxy passes requests on, but TRUST_PROXY does not name it: all its visitors are limited as one.",
      );
    }
    if (!warned.host && request.headers.host !== lastHost) {
      lastHost = request.headers.host;
      const host = namedHost(request);
      warned.host = host !== undefined && host !== siteHost && !isLoopbackHost(host);
      if (warned.host)
        app.log.warn(
          { requestId, host },
          `A request names another host than SITE_URL (${siteHost}). Is it the site's address?`,
        );
    }
    done();
  });
}

/** Names of pages, files, tables, functions and ids. No email address, no encoded text and no long token fits. */
const plain = /^(?:\/[\w.-]{0,48})+$/;

/**
 * The path of a URL as it may be logged: without the query, which holds tokens and filters, and with `…` for each part
 * that no address of ours has, because a person may have typed or pasted anything there.
 */
export function loggablePath(url: string): string {
  const [path = ""] = url.split("?", 1);
  if (plain.test(path)) return path;
  return path.replace(/[^/]+/g, (part) => (plain.test(`/${part}`) ? part : "…"));
}
