import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import { type Logger, pino } from "pino";
import { type AppParts, buildApp } from "./app.ts";
import { renderQueuedMail } from "./auth/account-mail/account-mail-templates.ts";
import { hasAdmin } from "./auth/admin-roles.ts";
import { passwordHasher } from "./auth/passwords/password-hasher.ts";
import { loadSigningKeys } from "./auth/tokens/signing-keys.ts";
import type { Connections } from "./database/connections.ts";
import { openDatabase } from "./database/open-database.ts";
import { listen } from "./http/listen.ts";
import { createJobHandlers } from "./jobs/job-handlers.ts";
import { type Queue, startQueue } from "./jobs/queue.ts";
import { type CapturedMailbox, mailboxKeyFile, writeMailboxKey } from "./mail/dev-mailbox.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { checkSmtp } from "./mail/smtp.ts";
import { readAssets } from "./pages/assets.ts";
import { ensureBuilt } from "./pages/ensure-built.ts";
import { readSettings, type Settings, SettingsError, settingsWarnings } from "./settings.ts";
import { type Shutdown, shutdownOn } from "./shutdown.ts";
import { StartError } from "./start-error.ts";
import { createWebhook } from "./webhook/webhook.ts";

/**
 * A stop takes at most 10 seconds: requests and jobs have 4 seconds to end, then PostgreSQL has 4 seconds. If the
 * server is still starting, there are no requests, so PostgreSQL has all of the time. It may be creating its data
 * folder.
 */
const stopDeadlineSeconds = { work: 4.5, database: 9.5 };

/** False in `npm run dev`, where Astro serves the pages. */
const withPages = !process.argv.includes("--without-pages");

let shutdown: Shutdown | undefined;

// If the terminal or another program that reads the output ends first, a write fails with EPIPE. This must not end the
// server.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

await start().catch((error: unknown) => {
  if (shutdown?.hasBegun) return;
  // A problem that the operator can fix is printed as a sentence. Anything else is a bug and is printed with its stack.
  const isForOperator = error instanceof StartError || error instanceof SettingsError;
  console.error(isForOperator ? error.message : error);
  process.exit(1);
});

async function start() {
  const settings = readSettings();
  const log = createLog(settings);
  for (const warning of settingsWarnings(settings)) log.warn(warning);

  // SIGHUP means that the terminal was closed: the server then stops in order. Without a terminal, SIGHUP gets no
  // listener. A listener would undo `nohup`, which makes the process ignore this signal.
  const signals: NodeJS.Signals[] = process.stdout.isTTY ? ["SIGINT", "SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM"];
  shutdown = shutdownOn(signals, log);
  if (settings.hostedUrl !== undefined) return serveHosted(settings, settings.hostedUrl, shutdown, log);

  const opening = openDatabase(settings, log, { refuseHosted: true });
  shutdown.add({
    name: "the database",
    deadlineSeconds: stopDeadlineSeconds.database,
    close: async () => (await opening).close(),
  });
  const database = await opening;
  if (shutdown.hasBegun) return;
  try {
    await serve(settings, database, shutdown, log);
  } catch (error) {
    if (!shutdown.hasBegun) await database.close();
    throw error;
  }
}

/** Serves the pages of a site whose contacts and accounts a hosted project has. Such a server stores nothing. */
async function serveHosted(settings: Settings, hostedUrl: string, shutdown: Shutdown, log: Logger) {
  if (settings.databaseUrl !== undefined) {
    throw new StartError(
      "DATABASE_URL and PUBLIC_SUPABASE_URL are both set, so contacts would be in two places. Remove the one of the place that nobody reads.",
    );
  }
  const app = buildApp({ settings, backend: undefined, assets: await loadPages(settings), log });
  if (shutdown.hasBegun) return;

  const listener = listen(app, settings);
  shutdown.add({ name: "the work under way", deadlineSeconds: stopDeadlineSeconds.work, close: listener.close });
  await listener.ready;
  greet(settings, [
    `  Contacts go to the project at ${hostedUrl}. This server stores none.`,
    ...(existsSync(join(settings.dataDir, "postgres"))
      ? [`  Earlier contacts are still in ${settings.dataDir}: docs/operating.md tells how to read them.`]
      : []),
  ]);
}

/** Builds the pages, answers requests, and then starts the queue. If a stop has begun, it does not do the next step. */
async function serve(settings: Settings, { owner, caller }: Connections, shutdown: Shutdown, log: Logger) {
  const assets = await loadPages(settings);
  const mailer = createMailer({ ...settings, log });
  const { mailbox } = mailer;
  const backend = { owner, caller, keys: await loadSigningKeys(owner), mailbox };
  const app = buildApp({ settings, backend, assets, log });
  if (shutdown.hasBegun) return;

  const listener = listen(app, settings);
  let queue: Queue | undefined;
  // Steps are closed in reverse order. This step is closed before the database, which running requests and jobs still
  // need.
  shutdown.add({
    name: "the work under way",
    deadlineSeconds: stopDeadlineSeconds.work,
    async close() {
      await Promise.all([listener.close(), queue?.stop()]);
      mailer.close();
    },
  });
  await listener.ready;
  if (shutdown.hasBegun) return;
  // The key is written only now: a server whose port is in use ends above, without touching another server's key.
  if (mailbox) {
    await writeMailboxKey(settings.dataDir, mailbox).catch((error: Error) =>
      log.warn(`The key of /dev/mail could not be written: ${error.message}`),
    );
  }

  queue = startQueue({ owner, log, tasks: jobHandlersFor(settings, owner, mailer) });
  if (settings.smtpUrl && settings.notifyTo.length === 0 && !settings.webhook) {
    log.warn("No mail announces a contact: NOTIFY_TO is not set. The list at /admin/contacts holds all contacts.");
  }
  if (settings.smtpUrl) checkSmtp(settings.smtpUrl, log).catch((error: unknown) => log.error(error));
  // Only the start message uses this answer. If the database fails here, the server must not end, because it already
  // answers requests.
  const hasReader = await hasAdmin(owner).catch(() => true);
  const { dataDir, databaseUrl } = settings;
  greet(settings, [
    databaseUrl ? "  Contacts are kept in the PostgreSQL of DATABASE_URL." : `  Contacts are kept in ${dataDir}.`,
    ...(hasReader ? [] : ["  Nobody can read them yet: npm run admin -- create you@example.com --admin"]),
    ...(mailbox ? [`  Mails are not sent without SMTP_URL; they end in ${mailboxAddress(settings, mailbox)}.`] : []),
  ]);
}

/** Builds the site if it has changed. In `npm run dev` there are no pages, because Astro serves them. */
async function loadPages(settings: Settings): Promise<AppParts["assets"]> {
  if (!withPages) return new Map();
  await ensureBuilt(settings, () => console.log("Building the site. Once, about ten seconds."));
  return readAssets(settings.buildDir);
}

/**
 * Logs to standard output: at a terminal only warnings and errors, elsewhere every request. If a line cannot be
 * written, for instance because the disk is full, it is lost and the server goes on.
 */
function createLog({ logLevel }: Settings): Logger {
  const destination = pino.destination({ dest: 1, sync: true });
  destination.on("error", () => {});
  return pino({ level: logLevel ?? (process.stdout.isTTY ? "warn" : "info") }, destination);
}

function jobHandlersFor(settings: Settings, owner: Pool, mailer: Mailer) {
  const { siteUrl, notifyTo, webhook, accountMailsPerHour: mailsPerHourMax } = settings;
  const mailContext = { owner, siteUrl, hasher: passwordHasher(), now: () => new Date(), mailsPerHourMax };
  return createJobHandlers({
    owner,
    mailer,
    siteUrl,
    notifyTo,
    webhook: webhook && createWebhook(webhook),
    composeAccountMail: (payload, attempt) => renderQueuedMail(mailContext, payload, attempt),
  });
}

/** Only a terminal shows the key: other outputs end in files and log collectors, which more people read. */
function mailboxAddress({ siteUrl, dataDir }: Settings, { key }: CapturedMailbox): string {
  return process.stdout.isTTY
    ? `${siteUrl}/dev/mail?key=${key}`
    : `${siteUrl}/dev/mail, which opens with ?key= and the text of ${join(dataDir, mailboxKeyFile)}`;
}

function greet({ siteUrl }: Settings, aboutContacts: readonly string[]) {
  console.log(
    [
      "",
      `  Serving ${siteUrl}`,
      "",
      `  The words of the site are in content/, its settings in README.md.`,
      ...aboutContacts,
      "  Ctrl-C ends it and loses nothing.",
      "",
    ].join("\n"),
  );
}
