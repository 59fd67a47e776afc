import type { Pool } from "pg";
import { pino } from "pino";
import { buildApp } from "./app.ts";
import { renderQueuedMail } from "./auth/account-mail/account-mail-templates.ts";
import { hasAdmin } from "./auth/admin-roles.ts";
import { passwordHasher } from "./auth/passwords/password-hasher.ts";
import { loadSigningKeys } from "./auth/tokens/signing-keys.ts";
import { openDatabase } from "./database/open-database.ts";
import { listen } from "./http/listen.ts";
import { createJobHandlers } from "./jobs/job-handlers.ts";
import { type Queue, startQueue } from "./jobs/queue.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { checkSmtp } from "./mail/smtp.ts";
import { readAssets } from "./pages/assets.ts";
import { ensureBuilt } from "./pages/build.ts";
import { readSettings, type Settings, SettingsError, warningsAbout } from "./settings.ts";
import { type Shutdown, shutdownOn } from "./shutdown.ts";
import { StartError } from "./start-error.ts";
import { createWebhook } from "./webhook/webhook.ts";

/**
 * A stop takes 10 seconds at most: requests and jobs under way end within 4 of them, PostgreSQL within 4 more. A stop
 * during the start has no requests, and PostgreSQL that time as well: it may be in the making.
 */
const stopSeconds = { work: 4.5, database: 9.5 };

/** `npm run dev` shows the pages itself. */
const withPages = !process.argv.includes("--without-pages");

let stop: Shutdown | undefined;

// A terminal, or a program that reads the output, may be gone before the server: EPIPE must not end it.
for (const output of [process.stdout, process.stderr]) output.on("error", () => {});

await run().catch((error: unknown) => {
  if (stop?.hasBegun) return;
  // What an operator can mend is one sentence; anything else is a bug and shows where it is.
  const isPlain = error instanceof StartError || error instanceof SettingsError;
  console.error(isPlain ? error.message : error);
  process.exit(1);
});

async function run() {
  const settings = readSettings();
  // A person at a terminal wants to hear of trouble only; a log that is kept wants every request.
  const log = pino({ level: settings.logLevel ?? (process.stdout.isTTY ? "warn" : "info") }, logDestination());
  for (const warning of warningsAbout(settings)) log.warn(warning);

  // A terminal that closes ends the server in order; without one, SIGHUP may be ignored on purpose (nohup).
  stop = shutdownOn(["SIGINT", "SIGTERM", ...(process.stdout.isTTY ? (["SIGHUP"] as const) : [])], log);
  const opening = openDatabase(settings, log);
  stop.add({ name: "the database", endsBySeconds: stopSeconds.database, close: async () => (await opening).close() });
  const database = await opening;
  if (stop.hasBegun) return;
  try {
    if (withPages) await ensureBuilt(settings, () => console.log("Building the site. Once, about ten seconds."));
    const assets = withPages ? await readAssets(settings.buildDir) : new Map();
    const { owner, caller } = database;
    const mailer = createMailer({ ...settings, log });
    const { mailbox } = mailer;
    const app = buildApp({ settings, owner, caller, keys: await loadSigningKeys(owner), mailbox, assets, log });
    let queue: Queue | undefined;
    if (stop.hasBegun) return;
    const listener = listen(app, settings);
    // Closed before the database: the requests in flight and the jobs under way still need it.
    stop.add({
      name: "the work under way",
      endsBySeconds: stopSeconds.work,
      async close() {
        await Promise.all([listener.close(), queue?.stop()]);
        mailer.close();
      },
    });
    await listener.ready;
    if (stop.hasBegun) return;
    queue = startQueue({ owner, log, tasks: tasksOf(settings, owner, mailer) });
    if (settings.smtpUrl && settings.notifyTo.length === 0 && !settings.webhook) {
      log.warn("Nobody is told of a contact: NOTIFY_TO is not set. The list at /admin/contacts holds them all.");
    }
    if (settings.smtpUrl) checkSmtp(settings.smtpUrl, log).catch((error: unknown) => log.error(error));
    // Only the greeting asks: a database that is away just now must not end a server that answers already.
    const hasReader = await hasAdmin(owner).catch(() => true);
    greet(settings, { hasReader, keepsMail: mailbox !== undefined });
  } catch (error) {
    if (!stop.hasBegun) await database.close();
    throw error;
  }
}

/** Standard output. What cannot be written there, on a full disk for instance, is lost, and nothing else. */
function logDestination() {
  const destination = pino.destination({ dest: 1, sync: true });
  destination.on("error", () => {});
  return destination;
}

function tasksOf({ siteUrl, notifyTo, webhook }: Settings, owner: Pool, mailer: Mailer) {
  const hasher = passwordHasher();
  const now = () => new Date();
  return createJobHandlers({
    owner,
    mailer,
    siteUrl,
    notifyTo,
    webhook: webhook && createWebhook(webhook),
    composeAccountMail: (payload) => renderQueuedMail({ owner, siteUrl, hasher, now }, payload),
  });
}

function greet(
  { siteUrl, dataDir, databaseUrl }: Settings,
  { hasReader, keepsMail }: { hasReader: boolean; keepsMail: boolean },
) {
  console.log(
    [
      "",
      `  Serving ${siteUrl}`,
      "",
      `  The words of the site are in content/, its settings in README.md.`,
      databaseUrl ? "  Contacts are kept in the PostgreSQL of DATABASE_URL." : `  Contacts are kept in ${dataDir}.`,
      ...(hasReader ? [] : ["  Nobody can read them yet: npm run admin -- create you@example.com --admin"]),
      ...(keepsMail ? [`  Mails are not sent without SMTP_URL; they end in ${siteUrl}/dev/mail.`] : []),
      "  Ctrl-C ends it and loses nothing.",
      "",
    ].join("\n"),
  );
}
