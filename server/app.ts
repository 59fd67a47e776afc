import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Pool } from "pg";
import { authApi } from "./auth/auth-api.ts";
import { sendAuthError } from "./auth/errors.ts";
import type { SigningKeys } from "./auth/tokens/signing-keys.ts";
import { tokenVerifier } from "./auth/tokens/token-verifier.ts";
import { dataApi } from "./data/data-api.ts";
import { sendDataError } from "./data/errors.ts";
import { ReconnectBudget } from "./database/reconnect.ts";
import { allowAnyOrigin, answerPreflight } from "./http/cors.ts";
import { securityHeaders } from "./http/security-headers.ts";
import { serverWithTimeouts, type Timeouts } from "./http/timeouts.ts";
import { devMailbox } from "./mail/dev-mailbox.ts";
import type { Mailer } from "./mail/mailer.ts";
import type { Asset } from "./pages/assets.ts";
import { sendErrorPage, setErrorPages } from "./pages/error-page.ts";
import { pageRoutes } from "./pages/pages.ts";
import { createSaveContact } from "./pages/save-contact.ts";
import type { Settings } from "./settings.ts";

export interface AppParts {
  settings: Settings;
  /** May do anything: for accounts and sessions, which no caller of the data API can reach. */
  owner: Pool;
  /** Connects as `authenticator`, which may do nothing until a transaction says for whom it acts. */
  caller: Pool;
  keys: SigningKeys;
  /** Where a developer finds the mails that nobody sent. */
  mailbox: Mailer["mailbox"];
  /** The built site, or nothing while another server shows the pages (`npm run dev`). */
  assets: ReadonlyMap<string, Asset>;
  log: FastifyBaseLogger;
  /** How long clients may take, for tests that cannot wait as long. */
  timeLimits?: Timeouts;
}

/** The whole server, not yet listening: both APIs, the pages, and what goes before and after every request. */
export function buildApp({ settings, owner, caller, keys, mailbox, assets, log, timeLimits }: AppParts) {
  const { siteUrl, publicKey, trustProxy } = settings;
  const http = serverWithTimeouts(settings.host, timeLimits);
  const secure = securityHeaders({ https: siteUrl.startsWith("https:") });
  const app = Fastify({
    loggerInstance: log,
    // One line per request is enough; the hook below writes it.
    logController: new LogController({ disableRequestLogging: true }),
    serverFactory: http.serverFactory,
    routerOptions: { maxParamLength: 500 },
    // What Fastify cannot even route: no hook and no error handler below sees it.
    frameworkErrors: (error, request, reply) => {
      secure(request, reply);
      return answerUnroutable(assets, error, request, reply);
    },
    // Whose word on the client's address counts. Without anybody's, `request.ip` is the socket's.
    trustProxy: trustProxy.length > 0 && [...trustProxy],
  });

  limitWaitsForPostgres(app);
  http.watch(app);
  app.addHook("onSend", async (request, reply) => secure(request, reply));
  app.addHook("onResponse", async (request, reply) => {
    // The path alone: a query may hold a token or an address.
    const path = request.url.split("?", 1)[0];
    const milliseconds = Math.round(reply.elapsedTime);
    request.log.info({ method: request.method, path, status: reply.statusCode, milliseconds }, "answered");
  });
  setErrorPages(app, assets);
  if (trustProxy.length === 0) warnOfProxy(app);

  const verifyToken = tokenVerifier({ ...settings, keys, owner, now: () => new Date() });
  app.register(dataApi({ caller, publicKey, verifyToken }), { prefix: "/rest/v1" });
  const auth = authApi({ ...settings, owner, keys, mailsPerHourMax: settings.accountMailsPerHour });
  app.register(auth, { prefix: "/auth/v1" });
  app.register(devMailbox({ mailbox, siteUrl }));
  app.register(pageRoutes, { assets, saveContact: createSaveContact(caller) });
  return app;
}

/**
 * A request waits for PostgreSQL while it restarts, but not for long in all, and not for a client that has gone or in a
 * server that ends. The parser of bodies leaves the context of the first hook, hence the second.
 */
function limitWaitsForPostgres(app: FastifyInstance) {
  const ending = new AbortController();
  const budgets = new WeakMap<FastifyRequest, ReconnectBudget>();
  app.addHook("preClose", async () => ending.abort());
  app.addHook("onRequest", (request, reply, done) => {
    const budget = new ReconnectBudget(() => endOf(reply, ending.signal));
    budgets.set(request, budget);
    budget.run(done);
  });
  app.addHook("preValidation", (request, _reply, done) => (budgets.get(request) ?? new ReconnectBudget()).run(done));
}

/** Aborts when the answer is sent, when its client has gone, or with `ending`. */
function endOf({ raw }: FastifyReply, ending: AbortSignal): AbortSignal {
  const over = new AbortController();
  const end = () => {
    over.abort();
    ending.removeEventListener("abort", end);
  };
  if (raw.closed || ending.aborted) end();
  else {
    raw.once("close", end);
    ending.addEventListener("abort", end);
  }
  return over.signal;
}

/** A broken address (`/rest/v1/%ff`) is refused as whatever it was meant for refuses, to pages of any origin too. */
function answerUnroutable(
  assets: AppParts["assets"],
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const [, api] = /^\/(rest|auth)\/v1\//.exec(request.url) ?? [];
  if (!api) return sendErrorPage(assets, error, request, reply);

  allowAnyOrigin(reply);
  reply.header("cache-control", "no-store");
  if (request.method === "OPTIONS") return answerPreflight(reply);
  return api === "rest" ? sendDataError(error, request, reply, true) : sendAuthError(error, request, reply);
}

/** Without knowing it, the server takes all visitors behind a proxy for one, whom one guesser's tries lock out. */
function warnOfProxy(app: FastifyInstance) {
  let warned = false;
  app.addHook("onRequest", async (request) => {
    if (warned || !request.headers["x-forwarded-for"]) return;
    warned = true;
    request.log.warn(
      "A proxy passes requests on, but TRUST_PROXY does not name it: all its visitors are limited as one.",
    );
  });
}
