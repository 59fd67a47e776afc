/**
 * `npm run soak`: do memory, open files or connections grow during ten minutes of steady traffic? The traffic is a mix
 * of page visits, contacts, sign-ins, token refreshes and an admin's views of the inbox. It comes from public addresses
 * (`X-Forwarded-For`), and all request limits are on. The run fails when a request fails, or when a contact or a
 * notification is missing. A run of at least a minute also fails when memory, open files or connections grow from its
 * middle to its end. Uses 127.0.0.1 only. `--seconds`, `--rate` (requests a second) and `--seed` set the size of the
 * run and the random seed.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import pg from "pg";
import { createConfirmedAccount, hashCredentials } from "#server/auth/operator-accounts";
import { passwordHasher } from "#server/auth/passwords/password-hasher";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { inTransaction } from "#server/database/transaction";
import { startSite } from "#tests/support/site";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { quantile } from "./load/quantile.ts";
import { seededRandom } from "./load/seeded-random.ts";
import { deliveredMails, readEvents } from "./smtp/smtp-log.ts";
import { startSmtp } from "./smtp/smtp-process.ts";
import { findGrowth } from "./soak/growth.ts";
import { countAuthRows, heapBytes, type Sample, takeSample } from "./soak/samples.ts";
import { type Account, kinds, sendTraffic, type Traffic } from "./soak/traffic.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    rate: { type: "string", default: "10" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
  },
});
const seconds = Number(options.seconds);
const perSecond = Number(options.rate);
const seed = Number(options.seed);
const memberCount = 20;
/** Even a short run takes at least thirty samples, so that each third of the run has some. */
const sampleSeconds = Math.min(5, seconds / 30);
/** A shorter run is not checked for growth, because growth in the first minute is warm-up. */
const growthSecondsMin = 60;
const queueSecondsMax = 60;
const failuresShown = 10;
let nextProgressSecond = 0;

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());

console.log(`${seconds} seconds, ${perSecond} requests a second, --seed ${seed}.`);
const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), "soak-"));
const problems: string[] = [];
try {
  problems.push(...(await soak()));
} catch (error) {
  const cause = signal.aborted ? (signal.reason as Error) : error;
  problems.push(cause instanceof Error ? cause.message : String(cause));
}
stopping.abort();
await endLeftoverProcesses(folder);
await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
progress("");
for (const problem of problems) console.log(problem);
process.exit(problems.length === 0 ? 0 : 1);

/** Resolves with a sentence for each problem. */
async function soak(): Promise<string[]> {
  const log = join(folder, "smtp.log");
  const smtp = await startSmtp({ log, signal });
  const site = await startSite({
    dataDir: join(folder, "data"),
    signal,
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
      NOTIFY_TO: "owner@soak.example",
      CONTACT_MAILS_PER_HOUR: "1000000",
      TRUST_PROXY: "loopback",
      AUTH_LIMITS: "on",
      LOG_LEVEL: "warn",
      NODE_OPTIONS: "--inspect=127.0.0.1:0",
    },
  });
  let isStopping = false;
  for (const [name, { ended, output }] of Object.entries({ server: site, "SMTP server": smtp })) {
    ended.then((code) => {
      if (!isStopping && !signal.aborted)
        stopping.abort(new Error(`The ${name} ended by itself (${code ?? "a signal"}):\n${output().slice(-3000)}`));
    });
  }
  const inspector = /ws:\/\/\S+/.exec(site.output())?.[0] ?? "";
  const connection = await embeddedConnection(join(folder, "data"));
  const database = new pg.Pool({ ...connection, max: 1, query_timeout: 30_000 });
  database.on("error", () => {});

  const [admin, ...members] = await makeAccounts(database);
  if (!admin) throw new Error("There is no admin.");
  const random = seededRandom(seed);
  const traffic = sendTraffic({ url: site.url, admin, members, perSecond, seconds, random, signal });
  const samples: Sample[] = [await takeSample(site.pid, database)];
  const heaps = { start: await heapBytes(inspector), middle: 0, end: 0 };
  const [, last] = await Promise.all([traffic.done, takeSamples()]);

  async function takeSamples(): Promise<Sample> {
    const startedAt = performance.now();
    let elapsed = 0;
    while (elapsed < seconds) {
      await pause(Math.min(sampleSeconds, seconds - elapsed) * 1000, undefined, { signal });
      elapsed = (performance.now() - startedAt) / 1000;
      const sample = await takeSample(site.pid, database);
      samples.push(sample);
      if (heaps.middle === 0 && elapsed >= seconds / 2) heaps.middle = await heapBytes(inspector);
      progress(`${sent(traffic)} answered, ${traffic.failures.length} failed, ${megabytes(sample.residentBytes)} MB`);
    }
    heaps.end = await heapBytes(inspector);
    return samples.at(-1) as Sample;
  }

  const failures = [
    ...(seconds < growthSecondsMin ? [] : findGrowth(samples, heaps).map((growth) => `Grew: ${growth}.`)),
    ...traffic.failures.slice(0, failuresShown).map((failure) => `Failed: ${failure}`),
    ...(await findMissing(database, traffic, log)),
  ];
  report(traffic, samples, heaps, last);
  console.log("Rows of the tables in schema auth:");
  console.table(await countAuthRows(database));
  await database.end();

  isStopping = true;
  const code = await site.stop();
  await smtp.kill();
  if (code !== 0) failures.push(`The server did not stop in order: it ended with ${code ?? "a signal"}.`);
  return failures;
}

/**
 * Creates accounts as the operator's command does, so that no address needs confirmation. The first account is an
 * admin.
 */
async function makeAccounts(database: pg.Pool): Promise<Account[]> {
  const accounts = Array.from({ length: 1 + memberCount }, (_, number) => ({
    email: `member-${number}@soak.example`,
    password: `a long walk in the woods ${number}`,
  }));
  const hasher = passwordHasher();
  for (const [number, account] of accounts.entries()) {
    const credentials = await hashCredentials(account, { hasher, charactersMin: 8 });
    await inTransaction(database, async (db) => {
      const { id } = await createConfirmedAccount(db, credentials);
      if (number === 0) await db.query("insert into public.user_roles (user_id, role) values ($1, 'admin')", [id]);
    });
  }
  return accounts;
}

/**
 * Waits until the queue is empty. Then returns a sentence if contacts are missing, one if contacts were filed as spam,
 * and one if the owner was not notified of all.
 */
async function findMissing(database: pg.Pool, { accepted }: Traffic, log: string): Promise<string[]> {
  const deadline = performance.now() + queueSecondsMax * 1000;
  const jobs = async () =>
    (
      await database.query<{ count: number }>(
        "select count(*)::int from private.jobs where task <> 'remove-expired-contacts'",
      )
    ).rows[0]?.count ?? 0;
  while ((await jobs()) > 0 && performance.now() < deadline) await pause(200, undefined, { signal });

  const { rows } = await database.query<{ id: string; spam_reason: string | null }>(
    "select id, spam_reason from contacts",
  );
  const notifiedIds = new Set(deliveredMails(await readEvents(log)).map(({ contactId }) => contactId));
  const unnotified = rows.filter(({ id }) => !notifiedIds.has(id)).length;
  const spam = rows.filter(({ spam_reason }) => spam_reason !== null).length;
  return [
    ...(rows.length === accepted ? [] : [`${accepted} contacts were accepted, ${rows.length} are stored.`]),
    ...(spam === 0 ? [] : [`${spam} contacts were filed as spam.`]),
    ...(unnotified === 0 ? [] : [`The owner was not notified of ${unnotified} contacts.`]),
  ];
}

function report(traffic: Traffic, samples: readonly Sample[], heaps: Record<string, number>, last: Sample) {
  progress("");
  console.table(
    Object.fromEntries(
      kinds.map((kind) => {
        const times = traffic.times[kind];
        return [
          kind,
          { answered: times.length, "p50 ms": rounded(quantile(times, 0.5)), "p99 ms": rounded(quantile(times, 0.99)) },
        ];
      }),
    ),
  );
  const row = (sample: Sample | undefined, heap = 0) => ({
    "memory (RSS), MB": megabytes(sample?.residentBytes ?? 0),
    "heap after GC, MB": megabytes(heap),
    "open files": sample?.files ?? "unknown",
    connections: sample?.connections,
  });
  console.table({
    start: row(samples[0], heaps.start),
    middle: row(samples[Math.floor(samples.length / 2)], heaps.middle),
    end: row(last, heaps.end),
  });
  const all = kinds.flatMap((kind) => traffic.times[kind]);
  const [p50, p99] = [0.5, 0.99].map((share) => rounded(quantile(all, share)));
  console.log(
    `${sent(traffic)} requests in ${seconds} s: ${traffic.failures.length} failed, p50 ${p50} ms, p99 ${p99} ms; ${traffic.accepted} contacts.`,
  );
}

function sent({ times, failures }: Traffic): number {
  return kinds.reduce((sum, kind) => sum + times[kind].length, failures.length);
}

function megabytes(bytes: number): number {
  return rounded(bytes / 2 ** 20);
}

function rounded(number: number): number {
  return Number(number.toFixed(1));
}

/** At a terminal, overwrites the previous message; elsewhere prints a line every half minute. */
function progress(message: string) {
  const elapsed = Math.floor((performance.now() - started) / 1000);
  if (process.stdout.isTTY) process.stdout.write(`\r${message && `${elapsed} s: ${message}`.padEnd(100)}\r`);
  else if (message && elapsed >= nextProgressSecond) {
    nextProgressSecond = elapsed + 30;
    console.log(`${elapsed} s: ${message}`);
  }
}
