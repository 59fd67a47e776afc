import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * A hook that sets the security headers of every answer (docs/protocol.md#answer-headers). Pages already have a
 * Content-Security-Policy with their own hashes (`server/pages/send-asset.ts`). The policy of every other answer
 * forbids the browser to load anything.
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
    if (!reply.hasHeader("content-security-policy")) {
      reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    }
  };
}
