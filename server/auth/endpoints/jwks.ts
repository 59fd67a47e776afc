import type { FastifyInstance } from "fastify";
import type { AuthContext } from "../auth-context.ts";

/** GET /.well-known/jwks.json: the public keys that verify access tokens (docs/protocol.md#published-keys). */
export function jwks(app: FastifyInstance, { keys }: AuthContext) {
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    reply.header("cache-control", "public, max-age=600");
    return keys.published;
  });
}
