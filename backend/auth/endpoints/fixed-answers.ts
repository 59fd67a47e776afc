import type { FastifyInstance } from "fastify";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";

/**
 * What the official client may call and this server lacks, refused as by a project that has it switched off
 * (docs/protocol.md#calls-of-the-client). A 404 would not name the feature.
 */
const refused = [
  ["POST", "/otp", refusals.noLoginByMail],
  ["GET", "/authorize", refusals.noProvider],
  ["POST", "/sso", refusals.noSaml],
  ["any", "/passkeys", refusals.noPasskeys],
  ["any", "/passkeys/*", refusals.noPasskeys],
  ["any", "/oauth/*", refusals.noOAuthServer],
  ["any", "/user/oauth/grants", refusals.noOAuthServer],
  ["GET", "/reauthenticate", refusals.noReauthentication],
  ["GET", "/user/identities/authorize", refusals.noManualLinking],
  ["DELETE", "/user/identities/:id", refusals.noManualLinking],
] as const;

/** What anyone may ask about this server, and what it refuses. None of these asks the database for an account. */
export function fixedAnswers(app: FastifyInstance, context: AuthContext) {
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

  for (const [method, url, refuse] of refused)
    app.route({
      method: method === "any" ? app.supportedMethods : method,
      url,
      handler: () => {
        throw refuse();
      },
    });
}
