/**
 * `npm run chaos`: does a contact that was answered with success survive SIGKILL of everything, is none stored twice,
 * and does its owner hear of each? Contacts come steadily while server, PostgreSQL, both, and the SMTP server are killed
 * at random; the SMTP server also refuses, hangs and dies in mid-sentence by itself. Talks to 127.0.0.1 only; ends by
 * itself, within minutes. `--contacts`, `--kills` and `--seed` change how many of them, and which chance.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { type Random, seededRandom } from "./chaos/random.ts";
import { arrivalsIn, readEvents } from "./chaos/smtp-log.ts";
import { judge } from "./chaos/telling.ts";
import { type Kind, kinds, startVictims } from "./chaos/victims.ts";
import { sendContacts, type Visitors } from "./chaos/visitors.ts";

const { values: size } = parseArgs({
  options: {
    contacts: { type: "string", default: "1000" },
    kills: { type: "string", default: "30" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
  },
});
const contactsInAll = Number(size.contacts);
const killsInAll = Number(size.kills);
const seed = Number(size.seed);
/** After the last contact. A job of a killed server is free again after 20 seconds, one that hangs after 30. */
const waitSecondsMax = 120;

const folder = await mkdtemp(join(tmpdir(), "chaos-"));
console.log(`${contactsInAll} contacts, ${killsInAll} kills, --seed ${seed}.`);
const started = performance.now();
const victims = await startVictims({ folder, seed, random: seededRandom(seed) });
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => victims.stop().then(() => process.exit(1)));
try {
  const visitors = sendContacts(contactsInAll, { url: victims.url, random: seededRandom(seed + 1) });
  const kills = await killAtRandom(visitors, seededRandom(seed + 2));
  await visitors.done;
  await untilQueueIsEmpty();
  await report(visitors, kills);
} finally {
  await victims.stop();
}
if (process.exitCode) console.log(`What the servers wrote down is in ${folder}.`);
else await rm(folder, { recursive: true, force: true });

/** Each kind as often as the others, in any order, after any number of contacts and at any moment after that. */
async function killAtRandom(visitors: Visitors, random: Random): Promise<Record<Kind, number>> {
  const done = { server: 0, PostgreSQL: 0, both: 0, SMTP: 0 };
  const hand = random.shuffled(Array.from({ length: killsInAll }, (_, kill) => kinds[kill % kinds.length] ?? "server"));
  const share = Math.floor(contactsInAll / (killsInAll + 2));
  for (const kind of hand) {
    const target = Math.min(visitors.accepted.size + 1 + random.below(share), contactsInAll);
    visitors.allowed = target + share;
    while (visitors.accepted.size < target) await pause(20);
    await pause(random.below(300));
    progress(`${visitors.accepted.size} of ${contactsInAll} accepted, killing ${kind}`);
    await victims.kill(kind);
    done[kind] += 1;
  }
  visitors.allowed = contactsInAll;
  return done;
}

/** Failed jobs rest for minutes, later for hours: they are brought forward, by the queue's own function for that. */
async function untilQueueIsEmpty() {
  const deadline = performance.now() + waitSecondsMax * 1000;
  while (performance.now() < deadline) {
    const [queue] = await victims.query<{ jobs: number; locked: number }>(
      "select count(*)::int as jobs, count(locked_at)::int as locked from graphile_worker.jobs",
    );
    progress(`${queue?.jobs} jobs left, ${queue?.locked} of them under way or left by a server that is gone`);
    if (queue?.jobs === 0) return;
    await victims.query(`
      select from graphile_worker.reschedule_jobs(run_at => now(), job_ids => array(
        select id from graphile_worker.jobs where locked_at is null and run_at > now()))`);
    await pause(1000);
  }
}

async function report({ accepted, retried, refused, gaveUp }: Visitors, kills: Record<Kind, number>) {
  const contacts = await victims.query<{ id: string; email: string }>("select id, email from contacts");
  const stored = new Set(contacts.map(({ email }) => email));
  const events = await readEvents(victims.log);
  const { told, again, unexplained } = judge(arrivalsIn(events), victims.interruptions);
  const [queue] = await victims.query<{ jobs: number }>("select count(*)::int as jobs from graphile_worker.jobs");
  const moods = Object.groupBy(events, ({ event }) => event);
  const times = (event: string) => moods[event]?.length ?? 0;

  const mustBeNone = {
    "gave up": gaveUp,
    lost: accepted.difference(stored).size,
    doubled: contacts.length - stored.size,
    "owner not notified": contacts.filter(({ id }) => !told.has(id)).length,
    "owner notified again, unexplained": again.unexplained,
    "jobs left": queue?.jobs ?? 0,
  };
  progress("");
  console.table({
    accepted: accepted.size,
    "sent again until then": retried,
    "of these refused": refused,
    stored: contacts.length,
    ...mustBeNone,
    "owner notified at least once": contacts.filter(({ id }) => told.has(id)).length,
    "owner notified again, SMTP died or hung before it answered": again.unanswered,
    "owner notified again, server killed as SMTP answered": again.serverKilled,
    ...Object.fromEntries(Object.entries(kills).map(([kind, count]) => [`killed: ${kind}`, count])),
    "SMTP refused": times("refuses the recipient") + times("refuses the mail"),
    "SMTP died in mid-sentence": times("dies during the mail") + times("dies after the mail"),
    "SMTP hung": times("hangs after the mail") + times("never greets"),
    seconds: Number(((performance.now() - started) / 1000).toFixed(1)),
  });
  if (Object.values(mustBeNone).every((count) => count === 0) && accepted.size === contactsInAll) return;

  process.exitCode = 1;
  await writeFile(join(folder, "server.log"), victims.output());
  for (const { contactId, at } of unexplained)
    console.log(`Told again of ${contactId} after ${new Date(at).toISOString()}.`);
}

function progress(words: string) {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  process.stdout.write(`\r${words && `${seconds} s: ${words}`.padEnd(100)}\r`);
}
