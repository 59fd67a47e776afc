import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Pool } from "pg";
import type { Logger } from "pino";
import { findAdmins, setSecondFactorRule } from "#backend/auth/admin-roles";
import { expiredRows } from "#backend/auth/expired-rows";
import { passwordHasher } from "#backend/auth/passwords/password-hasher";
import { encryptSecrets } from "#backend/auth/second-factor/factors";
import { SigningKeys } from "#backend/auth/tokens/signing-keys";
import type { Connections } from "#backend/database/connections";
import { DatabaseAwayError } from "#backend/database/errors";
import { listen } from "#backend/http/listen";
import { secretKeys } from "#backend/secret-keys";
import { print } from "#process/print";
import { type Shutdown, stopDeadlineSeconds } from "#process/shutdown";
import { StartError } from "#process/start-error";
import { version } from "#process/version";
import { type AppParts, buildApp } from "./app.ts";
import { accountMails } from "./jobs/account-mails.ts";
import { contactAnnouncements } from "./jobs/contact-announcements.ts";
import { dailyRemoval } from "./jobs/daily-removal.ts";
import { type RecurringJob, Worker } from "./jobs/worker.ts";
import { type CapturedMailbox, mailboxKeyFile, writeMailboxKey } from "./mail/dev-mailbox.ts";
import { createMailer, type Mailer } from "./mail/mailer.ts";
import { writeAccountMail } from "./mail/render-account-mail.ts";
import type { Settings } from "./settings.ts";
import { readAssets } from "./static-site/assets.ts";
import { ensureBuilt, isBuilt } from "./static-site/ensure-built.ts";
import { createVisitCounter } from "./visits/visit-counter.ts";
import { createWebhook } from "./webhook/webhook.ts";

/** False in `npm run dev`, where Astro serves the pages. */
const withPages = !process.argv.includes("--without-pages");

/** Serves the pages of a site whose contacts and accounts a hosted project has. Such a server stores nothing. */
export async function serveHosted(settings: Settings, hostedUrl: string, shutdown: Shutdown, log: Logger) {
  if (settings.databaseUrl !== undefined) {
    throw new StartError(
      "DATABASE_URL and PUBLIC_SUPABASE_URL are both set, so contacts would be in two places. Remove the one of the place that nobody reads.",
    );
  }
  const assets = (await readPages(settings)) ?? (await buildPages(settings, shutdown));
  const app = buildApp({ settings, backend: undefined, assets, log, isStopping: () => shutdown.hasBegun });
  shutdown.signal.throwIfAborted();

  const listener = listen(app, settings);
  shutdown.add({ name: "the work under way", deadlineSeconds: stopDeadlineSeconds.work, close: listener.close });
  await listener.ready;
  greet(settings, [
    `  Contacts go to the project at ${hostedUrl}. This server stores none.`,
    ...(existsSync(join(settings.dataDir, "postgres"))
      ? [`  Earlier contacts are still in ${settings.dataDir}: docs/hosted-supabase.md tells how to read them.`]
      : []),
  ]);
}

export interface Start {
  settings: Settings;
  opening: Promise<Connections>;
  /** Resolves if the database is away: these connections do not work yet. */
  away: Promise<Connections>;
  shutdown: Shutdown;
  log: Logger;
  /** The daily backup, if the settings want one. */
  backup: ((owner: Pool) => RecurringJob) | undefined;
}

/**
 * The server goes from `opening` to `serving`. Until then it answers pages if the database is away, and everything else
 * with 503. A stop that begins meanwhile ends the start before its next step.
 */
export async function serve({ settings, opening, away, shutdown, log, backup: backupOf }: Start) {
  let state: "opening" | "serving" = "opening";
  tellOfFirstStart(settings);

  // 1. Read the pages beside the opening of the database, or build them. A build starts only after the attempt to open the
  // database: a start that is refused there must leave no build running.
  const [{ owner, caller }, pages] = await Promise.all([Promise.race([opening, away]), readPages(settings)]);
  shutdown.signal.throwIfAborted();
  const assets = pages ?? (await buildPages(settings, shutdown));

  // 2. Prepare what needs the database, whenever it is there.
  const keys = new SigningKeys(owner, log);
  const opened = opening.then(async () => {
    await keys.load();
    await applySecondFactorRule(settings, owner, log);
    state = "serving";
  });
  // Its failure is reported below. If the start ends before, it must not end the process as unhandled.
  opened.catch(() => {});

  // 3. Answer requests.
  let queue: Worker | undefined;
  const mailer = createMailer({ ...settings, log });
  const visits = createVisitCounter(owner, settings.siteUrl, log);
  const assertOpen = () => {
    if (state === "opening") throw new DatabaseAwayError("The database has not answered since this server started.");
  };
  const app = buildApp({
    ...{ settings, assets, log, visits },
    backend: { owner, caller, keys, mailbox: mailer.mailbox, assertOpen },
    wakeQueue: () => queue?.wake(),
    queueRuns: () => queue?.runs() ?? false,
    isStopping: () => shutdown.hasBegun,
  });
  await Promise.race([opened, away]);
  shutdown.signal.throwIfAborted();
  const listener = listen(app, settings);
  // Steps are closed in reverse order, so this one before the database, which running requests and jobs still need.
  shutdown.add({
    name: "the work under way",
    deadlineSeconds: stopDeadlineSeconds.work,
    async close() {
      await Promise.all([listener.close().finally(visits?.stop), queue?.stop()]);
      await mailer.close();
    },
  });
  await Promise.all([listener.ready, opened]);
  shutdown.signal.throwIfAborted();

  // 4. Run jobs. The server answers by now, so from here on a failure is only told.
  const daily = [
    dailyRemoval({ ...settings, owner, log, expired: expiredRows(settings) }),
    ...(backupOf ? [backupOf(owner)] : []),
  ];
  queue = new Worker({ owner, log, tasks: tasksOf(settings, owner, mailer, daily) });
  const warn = (problem: string) => (error: Error) => log.warn(`${problem}: ${error.message}`);
  // The next start tries again.
  for (const { schedule } of daily) schedule().catch(warn("A daily job could not be scheduled"));
  // The key is written only now: a server whose port is in use ends above, without touching another server's key.
  if (mailer.mailbox)
    await writeMailboxKey(settings.dataDir, mailer.mailbox).catch(warn("The key of /dev/mail could not be written"));
  const secretsProblem = "The secrets of second factors could not be encrypted";
  encryptSecrets(owner, secretKeys(settings), log).catch(warn(secretsProblem));
  checkMailSettings(settings, log).catch((error: unknown) => log.error(error));
  await greetOwner(settings, owner, mailer.mailbox);
}

function tasksOf(settings: Settings, owner: Pool, mailer: Mailer, daily: readonly RecurringJob[]) {
  const { siteUrl, notifyTo, webhook, accountMailsPerHour, contactMailsPerHour: mailsPerHourMax } = settings;
  const accounts = { owner, siteUrl, hasher: passwordHasher(), accountMailsPerHour };
  const hook = webhook && createWebhook(webhook);
  return {
    ...contactAnnouncements({ owner, mailer, siteUrl, notifyTo, mailsPerHourMax, webhook: hook }),
    ...accountMails(accounts, (mail) => mailer.send(writeAccountMail(mail), mail.link)),
    ...Object.assign({}, ...daily.map(({ tasks }) => tasks)),
  };
}

function tellOfFirstStart({ dataDir, databaseUrl }: Settings) {
  const isFirstStart = databaseUrl === undefined && !existsSync(join(dataDir, "postgres"));
  if (isFirstStart && process.stdout.isTTY) print(`Creating the database in ${dataDir}.`);
}

/** Reads the built site; undefined if it has changed since. In `npm run dev` Astro serves the pages. */
async function readPages(settings: Settings): Promise<AppParts["assets"] | undefined> {
  if (!withPages) return new Map();
  return (await isBuilt(settings)) ? readAssets(settings.buildDir) : undefined;
}

async function buildPages(settings: Settings, shutdown: Shutdown): Promise<AppParts["assets"]> {
  const building = ensureBuilt(
    settings,
    () => print("Building the site. On a small machine this takes a minute."),
    shutdown.signal,
  );
  shutdown.add({ name: "the build", deadlineSeconds: stopDeadlineSeconds.work, close: () => building.catch(() => {}) });
  await building;
  return readAssets(settings.buildDir);
}

/** Several servers on one database share the rule, so the last start wins, and the log tells of a change. */
async function applySecondFactorRule({ adminMfa }: Settings, owner: Pool, log: Logger) {
  if (!(await setSecondFactorRule(owner, adminMfa === "required"))) return;
  if (adminMfa === "required") log.info("ADMIN_MFA is required: admins read contacts only with a second factor.");
  else log.warn("ADMIN_MFA is optional now: admins without a second factor read contacts again.");
}

async function checkMailSettings({ siteUrl, smtpUrl, smtpAllowPlain, notifyTo, webhook }: Settings, log: Logger) {
  if (!smtpUrl) return;
  if (notifyTo.length === 0 && !webhook)
    log.warn("No email announces a contact: NOTIFY_TO is not set. The list at /admin/contacts holds all contacts.");
  const { checkSmtp } = await import("./mail/smtp.ts");
  await checkSmtp(smtpUrl, log, { allowPlain: smtpAllowPlain, siteUrl });
}

async function greetOwner(settings: Settings, owner: Pool, mailbox: CapturedMailbox | undefined) {
  // If the database fails here, the server must not end, because it already answers requests.
  const readers = await findAdmins(owner).catch(() => undefined);
  greet(settings, [
    settings.databaseUrl
      ? "  Contacts are kept in the PostgreSQL of DATABASE_URL."
      : `  Contacts are kept in ${settings.dataDir}.`,
    ...(readers?.length !== 0 ? [] : ["  Nobody can read them yet: npm run admin -- create you@example.com --admin"]),
    ...(mailbox ? [`  Emails are not sent without SMTP_URL; they end in ${mailboxAddress(settings, mailbox)}.`] : []),
  ]);
}

/** Only a terminal shows the key: other outputs end in files and log collectors, which more people read. */
function mailboxAddress({ siteUrl, dataDir }: Settings, { key }: CapturedMailbox): string {
  return process.stdout.isTTY
    ? `${siteUrl}/dev/mail?key=${key}`
    : `${siteUrl}/dev/mail, which opens with ?key= and the text of ${join(dataDir, mailboxKeyFile)}`;
}

function greet({ siteUrl }: Settings, aboutContacts: readonly string[]) {
  print(
    [
      "",
      `  Serving ${siteUrl}`,
      "",
      `  Version ${version}. The words of the site are in content/, its settings in docs/settings.md.`,
      ...aboutContacts,
      "  Ctrl-C ends it and loses nothing.",
      "",
    ].join("\n"),
  );
}
