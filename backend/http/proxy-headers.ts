import type { FastifyInstance, FastifyRequest } from "fastify";
import { identifiesSender, isLoopbackHost } from "./ip-address.ts";

/** The host name in the header `Host`, without a port; undefined if there is none. */
export function namedHost({ headers }: FastifyRequest): string | undefined {
  return URL.parse(`http://${headers.host ?? ""}`)?.hostname;
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
