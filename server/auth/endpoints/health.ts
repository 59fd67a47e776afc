import type { FastifyInstance } from "fastify";

/** GET /health: answers for this process, not for the database (docs/protocol.md#settings-and-health). */
export function health(app: FastifyInstance) {
  app.get("/health", async () => ({
    version: "1",
    name: "Site accounts",
    description: "The part of the Supabase auth protocol that this site uses",
  }));
}
