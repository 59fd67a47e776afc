/**
 * `npm run chaos` kills processes while visitors send contacts. Is a contact that the server accepted lost afterwards,
 * stored twice or not announced to the owner? Server, PostgreSQL and both get SIGKILL at random; the SMTP server crashes,
 * refuses mails, hangs and disconnects. `--contacts` and `--kills` set the least number of contacts and the number of
 * kills; `--seed` repeats their order.
 */
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { countContacts, untilQueueIsEmpty } from "./load/contacts.ts";
import { startMailServer } from "./load/mail-server.ts";
import { runMeasurement, startServer } from "./load/measurement.ts";
import { embeddedPostgres } from "./load/postgres.ts";
import { contactRequest, type Request, type Sent, send } from "./load/requests.ts";
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
  const { folder, progress, signal } = measurement;
  progress(`${contacts} contacts, ${kills} kills, --seed ${seed}`);
  const mail = await startMailServer(seededRandom(seed + 1));
  const dataDir = join(folder, "data");
  const { query, kill: killPostgres } = embeddedPostgres(dataDir);
  const environment = { SMTP_URL: mail.url, NOTIFY_TO: "owner@bench.example", CONTACT_MAILS_PER_HOUR: "1000000" };
  let server = await startServer(measurement, { dataDir, environment });
  const { url, port } = server;
  let repeated = 0;
  let next = 0;
  let mayEnd = false;
  const sent: Sent[] = [];
  await Promise.all([killAtRandom(), ...Array.from({ length: visitorsAtOnce }, visit)]);
  const jobsLeft = await untilQueueIsEmpty(query, measurement);
  const counted = await countContacts(query, sent, mail.announced);
  await server.stop();
  await mail.crash();

  const accepted = sent.filter(({ isRight }) => isRight).length;
  const mustBeZero = { "gave up": sent.length - accepted, ...counted, "jobs left": jobsLeft };
  const figures = {
    ...{ seed, kills, accepted, "requests repeated": repeated, ...mustBeZero },
    // Delivery is at least once: after a mail whose reply was lost, or not stored before a kill, comes another.
    "announced again": mail.announced.length - new Set(mail.announced).size,
    ...Object.fromEntries(Object.entries(mail.faultsSoFar).map(([fault, times]) => [`SMTP ${fault}`, times])),
  };
  return { figures, mustBeZero };

  /** Kills each of `kinds` equally often, in random order and after random pauses. */
  async function killAtRandom() {
    const random = seededRandom(seed);
    const order = random.shuffled(Array.from({ length: kills }, (_, kill) => kinds[kill % kinds.length]));
    for (const kind of order) {
      await pause(random.below((50 * contacts) / kills), undefined, { signal });
      progress(`killing ${kind}`);
      if (kind === "PostgreSQL" || kind === "both") await killPostgres();
      if (kind === "server" || kind === "both") {
        await server.kill();
        server = await startServer(measurement, { dataDir, port, environment });
      }
      if (kind !== "SMTP") continue;
      await mail.crash();
      await pause(random.below(2000), undefined, { signal });
      await mail.startAgain();
    }
    mayEnd = true;
  }

  /** Until the last kill, visitors go on even if all contacts are sent, so that each kill meets some. */
  async function visit() {
    const random = seededRandom(seed + 2 + next);
    while (next < contacts || !mayEnd) {
      sent.push(await sendUntilAccepted(contactRequest(url, next++)));
      await pause(random.below(pauseMillisecondsMax), undefined, { signal });
    }
  }

  async function sendUntilAccepted(request: Request): Promise<Sent> {
    const deadline = performance.now() + retrySecondsMax * 1000;
    for (;;) {
      const last = await send(request, { signal: AbortSignal.timeout(5_000) });
      if (last.isRight || performance.now() > deadline) return last;
      repeated += 1;
      await pause(50, undefined, { signal });
    }
  }
});
