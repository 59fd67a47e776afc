import type { FastifyInstance } from "fastify";
import { z } from "zod";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { queryText, readBody, text } from "../request-input.ts";
import { requireUser } from "../sessions/require-user.ts";
import { otherProviders } from "./discovery.ts";

const otpSchema = z.object({ email: text, phone: text });

/**
 * Refuses requests of Supabase's client for features that this server lacks, as a Supabase project does that has them
 * switched off (docs/protocol.md#auth-features-not-offered). A 404 would not name the feature.
 */
export function notOffered(app: FastifyInstance, context: AuthContext) {
  app.post("/otp", (request) => {
    const { email, phone } = readBody(request, otpSchema);
    if (email !== "") throw refusals.noMagicLinks();
    throw phone === "" ? refusals.noOtpAddress() : refusals.noPhoneCodes();
  });
  app.post("/magiclink", () => {
    throw refusals.noMagicLinks();
  });
  app.get("/authorize", (request) => {
    const provider = queryText(request, "provider")?.toLowerCase() ?? "";
    throw refusals.providerDisabled(otherProviders.includes(provider) ? undefined : provider.slice(0, nameLengthMax));
  });
  app.get("/callback", () => {
    throw refusals.badOAuthState();
  });
  app.post("/sso", () => {
    throw refusals.noSaml();
  });
  for (const url of ["/passkeys", "/passkeys/*"])
    app.all(url, () => {
      throw refusals.noPasskeys();
    });
  for (const url of ["/oauth/*", "/user/oauth/grants"])
    app.all(url, () => {
      throw refusals.noOAuthServer();
    });
  app.get("/user/identities/authorize", async (request) => {
    await requireUser(request, context);
    throw refusals.noManualLinking();
  });
  app.delete("/user/identities/:id", async (request) => {
    await requireUser(request, context);
    throw refusals.noManualLinking();
  });
}

/** A refusal repeats no more than this of a name that the caller chose. */
const nameLengthMax = 40;

export const idTokenSchema = z.object({ provider: text });

/** By the name that the client sends, as upstream knows them. */
const issuers = new Map([
  ["apple", "https://appleid.apple.com"],
  ["azure", "https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0"],
  ["facebook", "https://www.facebook.com"],
  ["google", "https://accounts.google.com"],
  ["kakao", "https://kauth.kakao.com"],
  ["keycloak", ""],
]);

/** The refusal of `grant_type=id_token`. */
export function idTokenRefusal({ provider }: z.output<typeof idTokenSchema>) {
  const issuer = issuers.get(provider);
  return issuer === undefined
    ? refusals.unknownIssuer(provider.slice(0, nameLengthMax))
    : refusals.issuerDisabled(issuer);
}
