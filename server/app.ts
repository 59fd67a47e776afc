import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from "fastify";
import type { Pool } from "pg";
import { authApi } from "./auth/auth-api.ts";
import type { SigningKeys } from "./auth/signing-keys.ts";
import { tokenVerifier } from "./auth/token-verifier.ts";
import { dataApi } from "./data/data-api.ts";
import { devMailbox } from "./mail/dev-mailbox.ts";
import type { Mailer } from "./mail/mailer.ts";
import { securityHeaders } from "./security-headers.ts";
import type { Settings } from "./settings.ts";
import type { Asset } from "./site/assets.ts";
import { setErrorPages } from "./site/error-page.ts";
import { savingContacts } from "./site/save-contact.ts";
import { site } from "./site/site.ts";

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
}

/** The whole server, not yet listening: both APIs, the pages, and what goes before and after every request. */
export function buildApp({ settings, owner, caller, keys, mailbox, assets, log }: AppParts) {
  const { siteUrl, publicKey, trustProxy } = settings;
  const app = Fastify({
    loggerInstance: log,
    // One line per request is enough; the hook below writes it.
    logController: new LogController({ disableRequestLogging: true }),
    // A browser that keeps its connection open must not hold up the end of the server.
    forceCloseConnections: "idle",
    routerOptions: { maxParamLength: 500 },
    // Whose word on the client's address counts. Without anybody's, `request.ip` is the socket's.
    trustProxy: trustProxy.length > 0 && [...trustProxy],
  });

  closeConnectionsAtTheEnd(app);
  app.addHook("onSend", securityHeaders({ https: siteUrl.startsWith("https:") }));
  app.addHook("onResponse", async (request, reply) => {
    // The path alone: a query may hold a token or an address.
    const path = request.url.split("?", 1)[0];
    const milliseconds = Math.round(reply.elapsedTime);
    request.log.info({ method: request.method, path, status: reply.statusCode, milliseconds }, "answered");
  });
  setErrorPages(app, assets);

  const verifyToken = tokenVerifier(keys, owner, siteUrl);
  app.register(dataApi({ caller, publicKey, verifyToken }), { prefix: "/rest/v1" });
  const auth = authApi({ ...settings, owner, keys, mailsPerHourMax: settings.accountMailsPerHour });
  app.register(auth, { prefix: "/auth/v1" });
  app.register(devMailbox({ mailbox, siteUrl }));
  app.register(site, { assets, saveContact: savingContacts(caller) });
  return app;
}

/** A request in flight is still answered, but its connection must not stay open and hold up the end. */
function closeConnectionsAtTheEnd(app: FastifyInstance) {
  let ending = false;
  app.addHook("preClose", async () => {
    ending = true;
  });
  app.addHook("onSend", async (_request, reply) => {
    if (ending) reply.header("connection", "close");
  });
}
