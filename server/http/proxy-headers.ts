import type { FastifyInstance, FastifyRequest } from "fastify";
import { identifiesSender, isLoopbackHost } from "./ip-address.ts";

/** The host name in the header `Host`, without a port; undefined if there is none. */
export function namedHost({ headers }: FastifyRequest): string | undefined {
  return URL.parse(`http://${headers.host ?? ""}`)?.hostname;
}

/**
 * Logs one warning about a proxy that TRUST_PROXY does not name, or that does not say for whom it asks. All visitors
 * behind it seem to have one address: the wrong passwords of one attacker would keep all from logging in, and no excess
 * of contacts is filed as spam.
 */
export function warnOfProxy(app: FastifyInstance, trustsProxies: boolean) {
  let warned = false;
  const check = (request: FastifyRequest) => {
    if (warned || !request.headers["x-forwarded-for"]) return;
    if (trustsProxies && identifiesSender(request.ip)) return;
    warned = true;
    app.log.warn(
      { requestId: request.id },
      trustsProxies
        ? "A proxy passes requests on and does not name the visitor's public address: such visitors are limited as one."
        : "A proxy passes requests on, but TRUST_PROXY does not name it: all its visitors are limited as one.",
    );
  };
  app.addHook("onRequest", (request, _reply, done) => {
    check(request);
    done();
  });
}

/**
 * Logs one warning about a host name that is neither the site's nor this machine's. Then a proxy or a domain leads here
 * that SITE_URL does not name: links in mails lead elsewhere, and the developer's mailbox may be open to the proxy.
 */
export function warnOfOtherHost(app: FastifyInstance, siteHost: string) {
  let warned = false;
  let lastHost: string | undefined;
  const check = (request: FastifyRequest) => {
    if (warned || request.headers.host === lastHost) return;
    lastHost = request.headers.host;
    const host = namedHost(request);
    if (!host || host === siteHost || isLoopbackHost(host)) return;
    warned = true;
    app.log.warn(
      { requestId: request.id, host },
      `A request names another host than SITE_URL (${siteHost}). Is it the site's address?`,
    );
  };
  app.addHook("onRequest", (request, _reply, done) => {
    check(request);
    done();
  });
}
