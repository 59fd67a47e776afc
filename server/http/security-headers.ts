import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * A hook that sets the security headers of every answer (docs/protocol.md#answer-headers). It keeps the headers of
 * `defaults` that a route has already set: pages have a Content-Security-Policy with their own hashes
 * (`server/pages/send-asset.ts`), and built files may be cached.
 */
export function securityHeaders({ https }: { https: boolean }) {
  const headers = {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    // With `no-referrer`, browsers would send `Origin: null` when the form posts without JavaScript. The check against
    // cross-site posts would then refuse the form of a browser that does not send `Sec-Fetch-Site`
    // (`server/pages/contact-form-without-javascript.ts`).
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    ...(https && { "strict-transport-security": "max-age=31536000" }),
  };

  return (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(headers);
    for (const [name, value] of Object.entries(defaults)) if (!reply.hasHeader(name)) reply.header(name, value);
  };
}

const defaults = {
  // Without a header, a cache may keep redirects and 404 for as long as it likes.
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  // Another site's page cannot load the answer as an image, script or style. Calls with CORS are not affected.
  "cross-origin-resource-policy": "same-origin",
};
