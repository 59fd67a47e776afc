import type { FastifyInstance } from "fastify";
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

export function notOffered(app: FastifyInstance) {
  for (const [method, url, refuse] of refused)
    app.route({
      method: method === "any" ? app.supportedMethods : method,
      url,
      handler: () => {
        throw refuse();
      },
    });
}
