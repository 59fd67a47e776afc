import type { FastifyInstance } from "fastify";
import type { AuthContext } from "../auth-context.ts";

/** What anyone may ask about this server. */
export function settings(app: FastifyInstance, context: AuthContext) {
  // The public keys that verify access tokens (docs/protocol.md#published-keys).
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    reply.header("cache-control", "public, max-age=600");
    return context.keys.published();
  });

  // Which ways to sign in a page may offer (docs/protocol.md#settings-and-health).
  app.get("/settings", async () => ({
    external: { anonymous_users: false, email: true, phone: false },
    disable_signup: context.signUps !== "open",
    mailer_autoconfirm: context.autoconfirm,
    // Not upstream: the pages tell the rule before a password is typed.
    password_min_length: context.passwordCharactersMin,
  }));

  // This process answers; the database is not checked.
  app.get("/health", async () => ({
    version: "1",
    name: "Site accounts",
    description: "The part of the Supabase auth protocol that this site uses",
  }));
}
