import type { FastifyInstance } from "fastify";

/** GET /health: it names itself, and answers for this process alone (protocol section 2.11). */
export function health(app: FastifyInstance) {
  app.get("/health", async () => ({
    version: "1",
    name: "Site accounts",
    description: "The part of the Supabase auth protocol that this site uses",
  }));
}
