import type { FastifyInstance } from "fastify";
import type { AuthContext } from "../auth-context.ts";

export const otherProviders: readonly string[] =
  "apple azure bitbucket discord facebook figma fly github gitlab google kakao keycloak linkedin linkedin_oidc notion slack slack_oidc snapchat spotify twitch twitter workos zoom".split(
    " ",
  );

/** GET /settings tells a sign-in page which ways to sign in it may offer (docs/protocol.md#settings-and-health). */
export function settings(app: FastifyInstance, { autoconfirm, signUps, passwordCharactersMin }: AuthContext) {
  const answer = {
    external: {
      anonymous_users: false,
      ...Object.fromEntries(otherProviders.map((provider) => [provider, false])),
      email: true,
      phone: false,
    },
    disable_signup: signUps !== "open",
    mailer_autoconfirm: autoconfirm,
    phone_autoconfirm: false,
    sms_provider: "",
    saml_enabled: false,
    // Not upstream: the pages tell the rule before a password is typed.
    password_min_length: passwordCharactersMin,
  };
  app.get("/settings", async () => answer);
}
