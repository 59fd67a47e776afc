import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * What gives every answer its security headers. Pages bring a Content-Security-Policy with their own hashes
 * (`server/pages/serve.ts`); all else is data and may load nothing.
 */
export function securityHeaders({ https }: { https: boolean }) {
  const always = {
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()",
    // Not `no-referrer`: with it a browser hides the origin of the form that posts without JavaScript.
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
    ...(https && { "strict-transport-security": "max-age=31536000" }),
  };

  return (_request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(always);
    if (!reply.hasHeader("content-security-policy")) {
      reply.header("content-security-policy", "default-src 'none'; frame-ancestors 'none'");
    }
  };
}
