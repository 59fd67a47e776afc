import type { FastifyPluginAsync, FastifyRequest, HTTPMethods } from "fastify";
import { allowAnyOrigin } from "#backend/http/cors";
import { requirePublicKey } from "#backend/http/credentials";
import { keepBodies } from "#backend/http/request-body";
import { noFloodLimits } from "#backend/limits/flood-limits";
import type { AuthContext, Endpoints } from "./auth-context.ts";
import { factors } from "./endpoints/factors.ts";
import { fixedAnswers } from "./endpoints/fixed-answers.ts";
import { logout } from "./endpoints/logout.ts";
import { recoveryCodes } from "./endpoints/recovery-codes.ts";
import { requestedMails } from "./endpoints/requested-mails.ts";
import { signUp } from "./endpoints/sign-up.ts";
import { token } from "./endpoints/token.ts";
import { user } from "./endpoints/user.ts";
import { verify } from "./endpoints/verify.ts";
import { passwordHasher } from "./passwords/password-hasher.ts";
import { passwordCharacters } from "./passwords/password-rules.ts";
import { refusals } from "./refusals.ts";
import { queryText } from "./request-input.ts";
import { sendAuthError } from "./send-auth-error.ts";

const endpoints: Endpoints = {
  ...signUp,
  ...token,
  ...user,
  ...logout,
  ...verify,
  ...requestedMails,
  ...factors,
  ...recoveryCodes,
};

/**
 * These paths need no public API key: neither a browser that follows a mailed link or is sent to a provider sends it,
 * nor another server that fetches the signing keys (docs/protocol.md#public-key).
 */
const pathsWithoutKey = ["/verify", "/authorize", "/.well-known/jwks.json"];

const defaults = {
  now: () => new Date(),
  hasher: passwordHasher(),
  passwordCharactersMin: passwordCharacters.default as number,
  floodLimits: noFloodLimits,
} satisfies Partial<AuthContext>;

/** Everything under `/auth/v1`: the subset of Supabase's auth API that this site uses (docs/protocol.md#auth-api). */
export function authApi(options: Omit<AuthContext, keyof typeof defaults> & Partial<AuthContext>): FastifyPluginAsync {
  const context: AuthContext = { ...defaults, ...options };

  return async (app) => {
    keepBodies(app);
    app.setErrorHandler(sendAuthError);
    const refuseUnknown = () => {
      throw refusals.noSuchEndpoint();
    };
    app.setNotFoundHandler(refuseUnknown);

    // Before anything can be refused: without these headers the client in a browser reports a refusal as a network
    // failure (docs/protocol.md#cors).
    app.addHook("onRequest", async (request, reply) => {
      if (allowAnyOrigin(request, reply)) return reply;
      requireKey(request, app.prefix, context.publicKey);
      limitRequest(request, app.prefix, context);
    });

    for (const [route, answer] of Object.entries(endpoints)) {
      const [method, url = ""] = route.split(" ");
      app.route({
        method: method as HTTPMethods,
        url,
        // A program that checks links in mails would use up the token.
        exposeHeadRoute: url !== "/verify",
        // A request keeps its place while it hashes, so one network has only four of the hashes that wait.
        handler: (request, reply) =>
          context.floodLimits.withConnection(request, () => answer(request, context, reply), refusals.rateLimited),
      });
    }
    fixedAnswers(app, context);
    // Without these routes, the pages' route for any address would answer the rest with HTML.
    app.all("/", { onRequest: refuseUnknown }, refuseUnknown);
    app.all("/*", { onRequest: refuseUnknown }, refuseUnknown);
  };
}

function requireKey(request: FastifyRequest, prefix: string, publicKey: string) {
  const [path = ""] = request.url.split("?");
  if (pathsWithoutKey.some((open) => path === prefix + open)) return;
  requirePublicKey(request, publicKey);
}

/**
 * Counts each request but reads, before its body is read. Upstream does so only behind a proxy that sends the client's
 * address in a header. Refreshes count apart: who guesses passwords in a shared network must not keep others there from
 * refreshing.
 */
function limitRequest(request: FastifyRequest, prefix: string, { floodLimits }: AuthContext) {
  const { ip, method, routeOptions } = request;
  const path = routeOptions.url?.slice(prefix.length) ?? "";
  if (method === "GET" && path !== "/verify") return;
  const isRefresh = path === "/token" && queryText(request, "grant_type") === "refresh_token";
  const endpoint = isRefresh ? `${path} refresh` : path;
  floodLimits.take("requests", { endpoint, ip }, { refuse: refusals.rateLimited });
}
