import Fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Pool } from "pg";
import { authApi } from "#backend/auth/auth-api";
import { sendAuthError } from "#backend/auth/send-auth-error";
import { tokenVerifier } from "#backend/auth/sessions/require-user";
import type { SigningKeys } from "#backend/auth/tokens/signing-keys";
import { dataApi } from "#backend/data-api/data-api";
import { sendDataError } from "#backend/data-api/send-data-error";
import { stopWaiting } from "#backend/database/reconnect";
import { allowAnyOrigin } from "#backend/http/cors";
import { requestIds } from "#backend/http/request-id";
import { addSecurityHeaders, securityHeaders } from "#backend/http/security-headers";
import { defaultTimeouts, limitClients, type Timeouts } from "#backend/http/timeouts";
import { type FloodLimits, floodLimits, noFloodLimits } from "#backend/limits/flood-limits";
import { secretKeys } from "#backend/secret-keys";
import { contactFormRoutes, type SaveContact } from "./contact-form/contact-form-without-javascript.ts";
import { createForwardContact } from "./contact-form/forward-contact.ts";
import { createSaveContact } from "./contact-form/save-contact.ts";
import { healthRoutes } from "./health/health-routes.ts";
import { queueAccountMail } from "./jobs/account-mails.ts";
import { devMailbox } from "./mail/dev-mailbox.ts";
import type { Mailer } from "./mail/mailer.ts";
import { logAnswer, warnOfProxies } from "./request-log.ts";
import type { Settings } from "./settings.ts";
import type { Asset } from "./static-site/assets.ts";
import { sendErrorPage, setErrorPages } from "./static-site/error-page.ts";
import { pageRoutes } from "./static-site/page-routes.ts";
import type { VisitCounter } from "./visits/visit-counter.ts";

/** What answers both APIs. */
export interface Backend {
  /** Connects as the owner of all tables. Used for accounts and sessions, which no caller of the data API can reach. */
  owner: Pool;
  /** Connects as `authenticator`, which has no rights until a transaction sets the caller's role. */
  caller: Pool;
  keys: SigningKeys;
  /** Throws while the database is not open yet. */
  assertOpen?: () => void;
  /** Stores the mails of a developer's site that has no SMTP server; undefined on other sites. */
  mailbox: Mailer["mailbox"];
}

export interface AppParts {
  settings: Settings;
  /** Undefined if a hosted project answers the browser (`hostedUrl`). The app then has pages and the contact form. */
  backend: Backend | undefined;
  /** The built site; empty while Astro serves the pages (`npm run dev`). */
  assets: ReadonlyMap<string, Asset>;
  log: FastifyBaseLogger;
  /** Counts visits of pages; undefined if nothing counts them. */
  visits?: VisitCounter | undefined;
  /** Tells the queue that a request may have added a job. */
  wakeQueue?: () => void;
  /** Whether the queue's worker runs jobs. */
  queueRuns?: () => boolean;
  /** Whether a stop has begun. */
  isStopping?: () => boolean;
  /** Tests set shorter time limits for clients. */
  timeLimits?: Timeouts;
}

/** Builds the whole server with the pages, both APIs, and the hooks of every request. It does not listen yet. */
export function buildApp({
  settings,
  backend,
  assets: built,
  log,
  visits,
  wakeQueue,
  queueRuns = () => true,
  isStopping = () => false,
  timeLimits: timeouts = defaultTimeouts,
}: AppParts) {
  const { siteUrl, trustProxy } = settings;
  const siteHeaders = securityHeaders({ https: siteUrl.startsWith("https:") });
  const addHeaders = (request: FastifyRequest, reply: FastifyReply) => {
    addSecurityHeaders(siteHeaders, reply);
    reply.header("x-request-id", request.id);
  };
  const assets = new Map([...built].map(([path, asset]) => [path, { ...asset, siteHeaders }]));
  const clients = limitClients(timeouts);
  const app = Fastify({
    ...fastifyOptions(log, trustProxy),
    ...clients.options,
    // Fastify calls this for a URL that it cannot route. The hooks and error handlers below do not run then, so the
    // headers are set here, and the line of the request is logged.
    frameworkErrors: (error, request, reply) => {
      addHeaders(request, reply);
      reply.raw.once("close", () => logAnswer(log, request, reply));
      return backend ? answerUnroutable(assets, error, request, reply) : sendErrorPage(assets, error, request, reply);
    },
  });

  // A body that no route reads is neither kept nor parsed.
  app.removeAllContentTypeParsers();
  if (backend) endWaitAtStop(app, backend, timeouts.stopWait);
  clients.stopWithoutLoss(app);
  // Hooks of every request take a callback: one that returns a promise would slow down pages from memory.
  app.addHook("onSend", (request, reply, _payload, done) => {
    addHeaders(request, reply);
    done();
  });
  followAnswers(app, log, wakeQueue);
  setErrorPages(app, assets);
  warnOfProxies(app, trustProxy.length > 0, new URL(siteUrl).hostname);

  // Both APIs and the form share these limits.
  const limits = settings.limitsAreOn ? floodLimits() : noFloodLimits;
  app.register(async (scope) => {
    // A scope of its own: the form answers a database that is not open yet with a page.
    if (backend) scope.register(async (apis) => registerBackend(apis, settings, backend, limits));
    scope.register(contactFormRoutes, { assets, siteUrl, saveContact: contactSaver(settings, backend, limits) });
  });
  app.register(healthRoutes, { siteUrl, owner: backend?.owner, queueRuns, isStopping });
  app.register(pageRoutes, { assets, visits });
  return app;
}

/**
 * During a stop, requests wait for PostgreSQL for these seconds only, and are then refused before the stop ends. They
 * wait at all because servers and PostgreSQL may restart together in an update.
 */
function endWaitAtStop(app: FastifyInstance, { owner, caller }: Backend, seconds: number) {
  app.addHook("preClose", async () => {
    setTimeout(() => [owner, caller].forEach(stopWaiting), seconds * 1000).unref();
  });
}

function fastifyOptions(log: FastifyBaseLogger, trustProxy: readonly string[]) {
  return {
    loggerInstance: log,
    // Fastify's own request log is off, because the `onResponse` hook logs each request in one line.
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "requestId" }),
    genReqId: requestIds(trustProxy),
    routerOptions: { maxParamLength: 500 },
    // The proxies whose `X-Forwarded-For` is believed. If there are none, `request.ip` is the address of the socket.
    trustProxy: trustProxy.length > 0 && [...trustProxy],
  };
}

function followAnswers(app: FastifyInstance, log: FastifyBaseLogger, wakeQueue: AppParts["wakeQueue"]) {
  app.addHook("onResponse", (request, reply, done) => {
    logAnswer(log, request, reply);
    // The request's transaction is committed here. Other servers find the job when they look for due jobs.
    if (mayHaveAddedJob(request, reply)) wakeQueue?.();
    done();
  });
}

function mayHaveAddedJob({ method }: FastifyRequest, { statusCode }: FastifyReply): boolean {
  return (method === "POST" || method === "PUT" || method === "PATCH") && statusCode < 400;
}

function registerBackend(
  app: FastifyInstance,
  settings: Settings,
  { owner, caller, keys, mailbox, assertOpen }: Backend,
  limits: FloodLimits,
) {
  const { publicKey } = settings;
  // After the hooks of the APIs, which set the headers that a refusal needs too.
  app.addHook("preHandler", (_request, _reply, done) => {
    assertOpen?.();
    done();
  });
  const verifyToken = tokenVerifier({ ...settings, keys, owner, now: () => new Date() });
  app.register(dataApi({ caller, publicKey, verifyToken, limits, deduplicated: ["contacts"] }), { prefix: "/rest/v1" });
  const auth = authApi({
    ...settings,
    owner,
    keys,
    secretKeys: secretKeys(settings),
    floodLimits: limits,
    queueMail: queueAccountMail,
  });
  app.register(auth, { prefix: "/auth/v1" });
  app.register(devMailbox(mailbox));
}

/** Without JavaScript a contact is stored where the browser would store it. */
function contactSaver(
  { hostedUrl, publicKey }: Settings,
  backend: Backend | undefined,
  limits: FloodLimits,
): SaveContact {
  if (backend) {
    const save = createSaveContact(backend.caller, limits);
    return async (contact, request) => {
      backend.assertOpen?.();
      await save(contact, request);
    };
  }
  if (hostedUrl === undefined) throw new Error("The app has neither a backend nor a hosted project.");
  const forward = createForwardContact({ url: hostedUrl, publicKey });
  return async (contact, request) => {
    limits.take("inserted rows", { ip: request.ip });
    await forward(contact, request);
  };
}

/** Refuses a broken URL (`/rest/v1/%ff`) in the error format of its API, with the CORS headers. */
function answerUnroutable(
  assets: AppParts["assets"],
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const [, api] = /^\/(rest|auth)\/v1\//.exec(request.url) ?? [];
  if (!api) return sendErrorPage(assets, error, request, reply);

  if (allowAnyOrigin(request, reply)) return reply;
  return api === "rest" ? sendDataError(error, request, reply, true) : sendAuthError(error, request, reply);
}
