/**
 * `npm run chaos` kills processes while visitors send contacts. Is a contact that the server accepted lost afterwards,
 * stored twice or not announced to the owner? Server, PostgreSQL and both get SIGKILL at random; the SMTP server crashes,
 * refuses mails, hangs and disconnects. `--contacts` and `--kills` set the least number of contacts and the number of
 * kills; `--seed` repeats their order.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { findInterrupted, reportContacts, untilQueueIsEmpty } from "./load/deliveries.ts";
import { startMailServer } from "./load/mail-server.ts";
import { type Measurement, runMeasurement, startServer } from "./load/measurement.ts";
import { embeddedPostgres } from "./load/postgres.ts";
import { contactRequest, send } from "./load/requests.ts";
import { seededRandom } from "./load/seeded-random.ts";

const { values: options } = parseArgs({
  options: {
    contacts: { type: "string", default: "1000" },
    kills: { type: "string", default: "30" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
  },
});
const [contacts, kills, seed] = [options.contacts, options.kills, options.seed].map(Number) as [number, number, number];

const kinds = ["server", "PostgreSQL", "both", "SMTP"] as const;
const visitorsAtOnce = 8;
/** The longest pause of a visitor between two contacts. All visitors together send about forty contacts a second. */
const pauseMillisecondsMax = 400;
/**
 * How long a visitor repeats a contact: longer than any restart takes. The database recognises a repeat for 30 seconds
 * (docs/specification.md#identical-contact), so a later repeat of a stored contact would be stored twice.
 */
const retrySecondsMax = 60;

await runMeasurement("chaos", async (measurement) => {
  const { progress, signal } = measurement;
  progress(`${contacts} contacts, ${kills} kills, --seed ${seed}`);
  const { site, mail } = await startTarget(measurement);
  const visitors = sendContacts(site.url, measurement);
  await Promise.all([killAtRandom(), visitors.done]);
  const jobsLeft = await untilQueueIsEmpty(site.query, measurement);
  const rows = await site.query<{ id: string; email: string }>("select id, email from contacts");
  await site.stop();
  await mail.crash();

  const { accepted, repeated, gaveUp } = visitors;
  const { mails, faultsSoFar } = mail;
  const report = reportContacts({ acknowledged: accepted, rows, mails, interrupted: site.interrupted });
  const mustBeZero = { "gave up": gaveUp, ...report.mustBeZero, "jobs left": jobsLeft };
  const figures = {
    seed,
    accepted: accepted.size,
    "requests repeated": repeated,
    ...mustBeZero,
    "announced again, SMTP gave no reply": report.repeats.unconfirmed,
    "announced again, server killed at the reply": report.repeats.serverKilled,
    kills,
    ...Object.fromEntries(Object.entries(faultsSoFar).map(([fault, times]) => [`SMTP ${fault}`, times])),
  };
  return { figures, mustBeZero };

  /** Kills each of `kinds` equally often, in random order, after a random number of contacts and a random pause. */
  async function killAtRandom() {
    const random = seededRandom(seed);
    const order = random.shuffled(Array.from({ length: kills }, (_, kill) => kinds[kill % kinds.length]));
    for (const kind of order) {
      await visitors.untilAccepted(visitors.accepted.size + 1 + random.below(contacts / kills));
      await pause(random.below(300), undefined, { signal });
      progress(`${visitors.accepted.size} accepted, killing ${kind}`);
      if (kind === "PostgreSQL" || kind === "both") await site.killPostgres();
      if (kind === "server" || kind === "both") await site.killServer();
      if (kind !== "SMTP") continue;
      await mail.crash();
      await pause(random.below(2000), undefined, { signal });
      await mail.startAgain();
    }
    visitors.mayEnd = true;
  }
});

/** The whole site: the server with its embedded PostgreSQL, and a faulty SMTP server. */
async function startTarget(measurement: Measurement) {
  const mail = await startMailServer(seededRandom(seed + 1));
  const dataDir = join(measurement.folder, "data");
  const { query, kill } = embeddedPostgres(dataDir);
  const environment = { SMTP_URL: mail.url, NOTIFY_TO: "owner@bench.example", CONTACT_MAILS_PER_HOUR: "1000000" };
  let server = await startServer(measurement, { dataDir, environment });
  const interrupted: string[] = [];
  const site = {
    url: server.url,
    query,
    interrupted,
    killPostgres: kill,
    async killServer() {
      await server.kill();
      const endedAt = new Date();
      server = await startServer(measurement, { dataDir, port: server.port, environment });
      interrupted.push(...(await findInterrupted(query, endedAt)));
    },
    stop: () => server.stop(),
  };
  return { site, mail };
}

/** Sends contacts. A visitor repeats a contact until the server accepts it or `retrySecondsMax` is over. */
function sendContacts(url: string, { signal }: Measurement) {
  const random = seededRandom(seed + 2);
  let next = 0;
  const visitors = {
    /** The email addresses of the contacts that the server accepted. */
    accepted: new Set<string>(),
    repeated: 0,
    gaveUp: 0,
    /** Until then, visitors go on even if all contacts are sent, so that each kill meets some. */
    mayEnd: false,
    async untilAccepted(count: number) {
      while (visitors.accepted.size < count) {
        if (visitors.gaveUp > 0) throw new Error(`No contact was accepted for ${retrySecondsMax} s, --seed ${seed}.`);
        await pause(20, undefined, { signal });
      }
    },
    done: Promise.resolve<unknown>(undefined),
  };
  visitors.done = Promise.all(Array.from({ length: visitorsAtOnce }, visitor));
  return visitors;

  async function visitor() {
    while (next < contacts || !visitors.mayEnd) {
      await sendUntilAccepted(next++);
      await pause(random.below(pauseMillisecondsMax), undefined, { signal });
    }
  }

  async function sendUntilAccepted(number: number) {
    const request = contactRequest(url, number);
    const deadline = performance.now() + retrySecondsMax * 1000;
    while (performance.now() < deadline) {
      const { status } = await send(request, { signal: AbortSignal.timeout(5_000) });
      if (status === 201) return visitors.accepted.add(request.email);
      visitors.repeated += 1;
      await pause(50, undefined, { signal });
    }
    visitors.gaveUp += 1;
  }
}
