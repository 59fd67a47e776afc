import type { FastifyInstance, FastifyRequest } from "fastify";
import { z } from "zod";
import type { Refusal } from "#backend/http/refusal";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText, readBody, text } from "../request-input.ts";
import { requireUser } from "../sessions/require-user.ts";

const otherProviders =
  `apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak linkedin linkedin_oidc notion
   slack slack_oidc snapchat spotify twitch twitter workos zoom`.split(/\s+/);

type Feature = [method: string, url: string, refuse: (request: FastifyRequest) => Refusal, forUser?: "for a user"];

/**
 * Features of Supabase's client that this server lacks, with the answers of a project that has them switched off
 * (docs/protocol.md#calls-of-the-client). A 404 would not name the feature.
 */
const refused: Feature[] = [
  ["POST", "/otp", otpRefusal],
  ["POST", "/magiclink", refusals.noMagicLinks],
  ["GET", "/authorize", providerRefusal],
  ["GET", "/callback", refusals.badOAuthState],
  ["POST", "/sso", refusals.noSaml],
  ["any", "/passkeys", refusals.noPasskeys],
  ["any", "/passkeys/*", refusals.noPasskeys],
  ["any", "/oauth/*", refusals.noOAuthServer],
  ["any", "/user/oauth/grants", refusals.noOAuthServer],
  ["GET", "/reauthenticate", refusals.noReauthentication, "for a user"],
  ["GET", "/user/identities/authorize", refusals.noManualLinking, "for a user"],
  ["DELETE", "/user/identities/:id", refusals.noManualLinking, "for a user"],
];

/** What anyone may ask about this server, and refusals of what it lacks. */
export function features(app: FastifyInstance, context: AuthContext) {
  // The public keys that verify access tokens (docs/protocol.md#published-keys).
  app.get("/.well-known/jwks.json", async (_request, reply) => {
    reply.header("cache-control", "public, max-age=600");
    return context.keys.published;
  });

  // Which ways to sign in a page may offer (docs/protocol.md#settings-and-health).
  app.get("/settings", async () => ({
    external: {
      anonymous_users: false,
      ...Object.fromEntries(otherProviders.map((provider) => [provider, false])),
      email: true,
      phone: false,
    },
    disable_signup: context.signUps !== "open",
    mailer_autoconfirm: context.autoconfirm,
    phone_autoconfirm: false,
    sms_provider: "",
    saml_enabled: false,
    // Not upstream: the pages tell the rule before a password is typed.
    password_min_length: context.passwordCharactersMin,
  }));

  // This process answers; the database is not checked.
  app.get("/health", async () => ({
    version: "1",
    name: "Site accounts",
    description: "The part of the Supabase auth protocol that this site uses",
  }));

  for (const [method, url, refuse, forUser] of refused)
    app.route({
      method: method === "any" ? app.supportedMethods : method,
      url,
      async handler(request) {
        if (forUser) await requireUser(request, context);
        throw refuse(request);
      },
    });
}

const otpSchema = z.object({ email: text, phone: text });

function otpRefusal(request: FastifyRequest): Refusal {
  const { email, phone } = readBody(request, otpSchema);
  if (email !== "") return refusals.noMagicLinks();
  return phone === "" ? refusals.noOtpAddress() : refusals.noPhoneCodes();
}

const nameLengthMax = 40;

function providerRefusal(request: FastifyRequest): Refusal {
  const provider = queryText(request, "provider")?.toLowerCase() ?? "";
  return refusals.providerDisabled(otherProviders.includes(provider) ? undefined : provider.slice(0, nameLengthMax));
}

/** By the name that the client sends, as upstream knows them. */
const issuers: Readonly<Record<string, string>> = {
  apple: "https://appleid.apple.com",
  azure: "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0",
  facebook: "https://www.facebook.com",
  google: "https://accounts.google.com",
  kakao: "https://kauth.kakao.com",
};

const idTokenSchema = z.object({ provider: text });

export function idTokenRefusal(request: FastifyRequest): Refusal {
  const { provider } = readBody(request, idTokenSchema);
  return Object.hasOwn(issuers, provider)
    ? refusals.issuerDisabled(issuers[provider] ?? "")
    : refusals.unknownIssuer(provider.slice(0, nameLengthMax));
}
