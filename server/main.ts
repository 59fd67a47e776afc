import type { Pool } from "pg";
import { pino } from "pino";
import { buildApp } from "./app.ts";
import { composeAccountMail } from "./auth/mail-orders.ts";
import { loadSigningKeys } from "./auth/signing-keys.ts";
import { hasAdmin } from "./cli/admin/role.ts";
import { openDatabase } from "./database/database.ts";
import { StartError } from "./database/start-error.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { type Queue, startQueue } from "./mail/queue.ts";
import { checkSmtp } from "./mail/smtp-check.ts";
import { mailTasks } from "./mail/tasks.ts";
import { createWebhook } from "./mail/webhook.ts";
import { readSettings, type Settings, SettingsError } from "./settings.ts";
import { readAssets } from "./site/assets.ts";
import { ensureBuilt } from "./site/build.ts";

/** Long enough for any request of ours; what still runs then is cut off. */
const stopSecondsMax = 15;

/** `npm run dev` shows the pages itself. */
const withPages = !process.argv.includes("--without-pages");

await run().catch((error: unknown) => {
  // What an operator can mend is one sentence; anything else is a bug and shows where it is.
  const isPlain = error instanceof StartError || error instanceof SettingsError;
  console.error(isPlain ? error.message : error);
  process.exit(1);
});

async function run() {
  const settings = readSettings();
  // A person at a terminal wants to hear of trouble only; a log that is kept wants every request.
  const log = pino({ level: settings.logLevel ?? (process.stdout.isTTY ? "warn" : "info") });

  const database = await openDatabase(settings, log);
  const toClose = [() => database.close()];
  endOn(["SIGINT", "SIGTERM"], toClose);
  try {
    if (withPages) await ensureBuilt(settings, () => console.log("Building the site. Once, about ten seconds."));
    const assets = withPages ? await readAssets(settings.buildDir) : new Map();
    const { owner, caller } = database;
    const mailer = createMailer({ ...settings, log });
    const { mailbox } = mailer;
    const app = buildApp({ settings, owner, caller, keys: await loadSigningKeys(owner), mailbox, assets, log });
    let queue: Queue | undefined;
    // Before the database: the requests in flight and the jobs under way still need it.
    toClose.unshift(async () => {
      await Promise.all([app.close(), queue?.stop()]);
      mailer.close();
    });
    await listen(app, settings);
    queue = startQueue({ owner, log, tasks: tasksOf(settings, owner, mailer) });
    if (settings.smtpUrl && settings.notifyTo.length === 0 && !settings.webhook) {
      log.warn("Nobody is told of a contact: NOTIFY_TO is not set. The list at /admin/contacts holds them all.");
    }
    if (settings.smtpUrl) void checkSmtp(settings.smtpUrl, log);
    greet(settings, { hasReader: await hasAdmin(owner), keepsMail: mailbox !== undefined });
  } catch (error) {
    await database.close();
    throw error;
  }
}

function tasksOf({ siteUrl, notifyTo, webhook }: Settings, owner: Pool, mailer: Mailer) {
  return mailTasks({
    owner,
    mailer,
    siteUrl,
    notifyTo,
    webhook: webhook && createWebhook(webhook),
    composeAccountMail: (payload) => composeAccountMail({ owner, siteUrl, now: () => new Date() }, payload),
  });
}

async function listen(app: ReturnType<typeof buildApp>, { host, port }: Settings) {
  try {
    await app.listen({ host, port });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new StartError(`Port ${port} is in use by another program. Stop it, or set PORT to another number.`);
    }
    if (code === "EACCES")
      throw new StartError(`Port ${port} needs more rights than this user has. Set PORT above 1023.`);
    throw error;
  }
}

/** Ctrl-C may arrive twice, from the terminal and from npm, so the second signal changes nothing. */
function endOn(signals: readonly NodeJS.Signals[], toClose: readonly (() => PromiseLike<unknown>)[]) {
  let ending = false;
  const end = async () => {
    if (ending) return;
    ending = true;
    setTimeout(() => process.exit(1), stopSecondsMax * 1000).unref();
    for (const close of toClose) await close();
    process.exit(0);
  };
  for (const signal of signals) process.on(signal, end);
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
