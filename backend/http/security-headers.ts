import type { FastifyReply } from "fastify";

/** The security headers of every answer (docs/protocol.md#answer-headers), unless a route has set its own. */
export function securityHeaders({ https }: { https: boolean }): Readonly<Record<string, string>> {
  return {
    // Without a header, a cache may keep redirects and 404 for as long as it likes. Built files may be cached.
    "cache-control": "no-store",
    // Pages have a policy with their own hashes (`server/static-site/assets.ts`).
    "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "cross-origin-opener-policy": "same-origin",
    // Another site's page cannot load the answer as an image, script or style. Calls with CORS are not affected.
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    // With `no-referrer`, browsers would send `Origin: null` when the form posts without JavaScript. The check against
    // cross-site posts would then refuse the form of a browser that does not send `Sec-Fetch-Site`
    // (`server/contact-form/contact-form-without-javascript.ts`).
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    ...(https && { "strict-transport-security": "max-age=31536000" }),
  };
}

export function addSecurityHeaders(headers: Readonly<Record<string, string>>, reply: FastifyReply) {
  for (const name in headers) if (!reply.hasHeader(name)) reply.header(name, headers[name]);
}
