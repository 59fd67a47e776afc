import type { FastifyPluginAsync } from "fastify";
import { answerPreflight, shareWithAnyOrigin } from "#server/http/gateway";
import type { AuthContext } from "./auth-context.ts";
import { auditLog } from "./endpoints/audit-log.ts";
import { changeOwnUser } from "./endpoints/change-user.ts";
import { health } from "./endpoints/health.ts";
import { jwks } from "./endpoints/jwks.ts";
import { logout } from "./endpoints/logout.ts";
import { notOffered } from "./endpoints/not-offered.ts";
import { recover } from "./endpoints/recover.ts";
import { resend } from "./endpoints/resend.ts";
import { sessions } from "./endpoints/sessions.ts";
import { settings } from "./endpoints/settings.ts";
import { signUp } from "./endpoints/sign-up.ts";
import { token } from "./endpoints/token.ts";
import { user } from "./endpoints/user.ts";
import { verify } from "./endpoints/verify.ts";
import { sendAuthError } from "./errors.ts";
import { limitRequests } from "./limits/request-rate-limits.ts";
import { passwordHasher } from "./passwords/password-hasher.ts";
import { passwordCharacters } from "./passwords/password-rules.ts";
import { refusals } from "./refusals.ts";
import { requireKey } from "./request/api-key.ts";
import { bodyBytesMax, parseBody } from "./request/request-body.ts";

const endpoints = [
  signUp,
  token,
  user,
  changeOwnUser,
  sessions,
  auditLog,
  logout,
  verify,
  recover,
  resend,
  jwks,
  settings,
  health,
  notOffered,
];

type Defaults = Pick<AuthContext, "now" | "hasher" | "passwordCharactersMin">;

const defaults = (): Defaults => ({
  now: () => new Date(),
  hasher: passwordHasher(),
  passwordCharactersMin: passwordCharacters.usual,
});

/** Everything under `/auth/v1`: the part of Supabase's auth protocol that this site uses (protocol section 2). */
export function authApi(options: Omit<AuthContext, keyof Defaults> & Partial<Defaults>): FastifyPluginAsync {
  const context: AuthContext = { ...defaults(), ...options };

  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: bodyBytesMax }, parseBody);
    app.setErrorHandler(sendAuthError);
    app.setNotFoundHandler(() => {
      throw refusals.noSuchEndpoint();
    });

    // Before anything can refuse: a refusal without these headers reads as a failed network (section 1.4).
    app.addHook("onRequest", async (request, reply) => {
      shareWithAnyOrigin(reply);
      reply.header("cache-control", "no-store");
      requireKey(request, app.prefix, context.publicKey);
      await limitRequests(request, app.prefix, context);
    });
    app.options("/*", (_request, reply) => answerPreflight(reply));

    for (const endpoint of endpoints) endpoint(app, context);
  };
}
