import type { FastifyInstance } from "fastify";

/**
 * GET /health shows only that this process answers requests; it does not check the database
 * (docs/protocol.md#settings-and-health).
 */
export function health(app: FastifyInstance) {
  app.get("/health", async () => ({
    version: "1",
    name: "Site accounts",
    description: "The part of the Supabase auth protocol that this site uses",
  }));
}
