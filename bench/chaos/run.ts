import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { endLeftovers } from "../../scripts/leftovers.mjs";
import { reportDeliveries } from "./delivery-report.ts";
import { type Random, seededRandom } from "./random.ts";
import { arrivalsIn, readEvents } from "./smtp-log.ts";
import { type Kind, kinds, ServerLost, startTargets, type Targets } from "./targets.ts";
import { sendContacts, type Visitors } from "./visitors.ts";

interface Options {
  contacts: number;
  kills: number;
  seed: number;
  /** Ends the run and all that it started, at once. */
  signal: AbortSignal;
  progress: (words: string) => void;
}

export interface Outcome {
  seed: number;
  /** Empty when the run broke off before it could count. */
  figures: Readonly<Record<string, number>>;
  /** Those of the figures that must be 0. */
  mustBeNone: Readonly<Record<string, number>>;
  serversLost: number;
  seconds: number;
  /** A sentence for each thing that is wrong; empty after a good run. */
  problems: readonly string[];
  /** Kept for the search when something is wrong. */
  folder: string | undefined;
}

/** After the last contact. A job of a killed server is free again after 20 seconds, one that hangs after 30. */
const queueSecondsMax = 120;
/** Longer than any restart takes, and than the patience of a visitor. */
const stalledSecondsMax = 90;

/** One run with its own server, PostgreSQL and SMTP server. Resolves when all of them are gone, whatever happened. */
export async function runChaos({ contacts, kills, seed, signal, progress }: Options): Promise<Outcome> {
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "chaos-"));
  const broken = new AbortController();
  const anyEnd = AbortSignal.any([signal, broken.signal]);
  let victims: Targets | undefined;
  let counted: Pick<Outcome, "figures" | "mustBeNone"> = { figures: {}, mustBeNone: {} };
  let serversLost = 0;
  const problems: string[] = [];
  try {
    victims = await startTargets({
      folder,
      seed,
      random: seededRandom(seed),
      signal: anyEnd,
      onLost: (loss) => broken.abort(loss),
    });
    const { server, smtp } = victims.pids;
    progress(`the server is process ${server}, the SMTP server ${smtp}`);
    const visitors = sendContacts(contacts, { url: victims.url, random: seededRandom(seed + 1), signal: anyEnd });
    const [killed] = await Promise.all([killAtRandom(victims, visitors), visitors.done]);
    await untilQueueIsEmpty(victims);
    counted = await count(victims, visitors, killed);
    problems.push(...complaints(counted.mustBeNone, visitors));
    const code = await victims.stop();
    if (code !== 0) problems.push(`The server did not stop in order: it ended with ${code ?? "a signal"}.`);
  } catch (error) {
    const reason = broken.signal.aborted ? broken.signal.reason : error;
    if (reason instanceof ServerLost) serversLost = 1;
    if (!signal.aborted) problems.push(reason instanceof Error ? reason.message : String(reason));
  }
  broken.abort();
  if (problems.length > 0) await writeFile(join(folder, "server.log"), victims?.output() ?? "");
  const leftovers = await endLeftovers(folder);
  if (problems.length === 0 && !signal.aborted && leftovers.length > 0)
    problems.push(`Still there after the end: ${leftovers.join(", ")}.`);
  const isKept = problems.length > 0 && !signal.aborted;
  if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  return { seed, ...counted, serversLost, seconds, problems, folder: isKept ? folder : undefined };

  /** Each kind as often as the others, in any order, after any number of contacts and at any moment after that. */
  async function killAtRandom(site: Targets, visitors: Visitors): Promise<Record<Kind, number>> {
    const random = seededRandom(seed + 2);
    const done = { server: 0, PostgreSQL: 0, both: 0, SMTP: 0 };
    const share = Math.floor(contacts / (kills + 2));
    for (const kind of kindsInOrder(kills, random)) {
      const target = Math.min(visitors.accepted.size + 1 + random.below(share), contacts);
      visitors.allowed = target + share;
      await untilAccepted(visitors, target);
      await pause(random.below(300), undefined, { signal: anyEnd });
      progress(`${visitors.accepted.size} of ${contacts} accepted, killing ${kind}`);
      await site.kill(kind);
      done[kind] += 1;
    }
    visitors.allowed = contacts;
    return done;
  }

  async function untilAccepted(visitors: Visitors, target: number) {
    let last = visitors.accepted.size;
    let lastAt = performance.now();
    while (visitors.accepted.size < target) {
      await pause(20, undefined, { signal: anyEnd });
      if (visitors.accepted.size > last) [last, lastAt] = [visitors.accepted.size, performance.now()];
      if (performance.now() - lastAt > stalledSecondsMax * 1000)
        throw new Error(`No contact was accepted for ${stalledSecondsMax} seconds (${last} of ${contacts} so far).`);
    }
  }

  /** Failed jobs rest for minutes, later for hours: they are brought forward, by the queue's own function for that. */
  async function untilQueueIsEmpty(site: Targets) {
    const deadline = performance.now() + queueSecondsMax * 1000;
    while (performance.now() < deadline) {
      const [queue] = await site.query<{ jobs: number; locked: number }>(
        "select count(*)::int as jobs, count(locked_at)::int as locked from graphile_worker.jobs",
      );
      progress(`${queue?.jobs} jobs left, ${queue?.locked} of them under way or left by a server that is gone`);
      if (queue?.jobs === 0) return;
      await site.query(`
        select from graphile_worker.reschedule_jobs(run_at => now(), job_ids => array(
          select id from graphile_worker.jobs where locked_at is null and run_at > now()))`);
      await pause(1000, undefined, { signal: anyEnd });
    }
  }
}

function kindsInOrder(kills: number, random: Random): Kind[] {
  return random.shuffled(Array.from({ length: kills }, (_, kill) => kinds[kill % kinds.length] ?? "server"));
}

async function count(victims: Targets, visitors: Visitors, killed: Record<Kind, number>) {
  const { accepted, retried, refused, gaveUp } = visitors;
  const contacts = await victims.query<{ id: string; email: string }>("select id, email from contacts");
  const stored = new Set(contacts.map(({ email }) => email));
  const events = await readEvents(victims.log);
  const { told, again, unexplained } = reportDeliveries(arrivalsIn(events), victims.interruptions);
  const [queue] = await victims.query<{ jobs: number }>("select count(*)::int as jobs from graphile_worker.jobs");
  const moods = Object.groupBy(events, ({ event }) => event);
  const times = (event: string) => moods[event]?.length ?? 0;
  for (const { contactId, at } of unexplained)
    console.log(`Told again of ${contactId} after ${new Date(at).toISOString()}.`);

  const mustBeNone = {
    "gave up": gaveUp,
    lost: accepted.difference(stored).size,
    doubled: contacts.length - stored.size,
    "owner not notified": contacts.filter(({ id }) => !told.has(id)).length,
    "owner notified again, unexplained": again.unexplained,
    "jobs left": queue?.jobs ?? 0,
  };
  const figures = {
    accepted: accepted.size,
    "sent again until then": retried,
    "of these refused": refused,
    stored: contacts.length,
    ...mustBeNone,
    "owner notified at least once": contacts.filter(({ id }) => told.has(id)).length,
    "owner notified again, SMTP died or hung before it answered": again.unanswered,
    "owner notified again, server killed as SMTP answered": again.serverKilled,
    ...Object.fromEntries(Object.entries(killed).map(([kind, times]) => [`killed: ${kind}`, times])),
    "SMTP refused": times("refuses the recipient") + times("refuses the mail"),
    "SMTP died in mid-sentence": times("dies during the mail") + times("dies after the mail"),
    "SMTP hung": times("hangs after the mail") + times("never greets"),
  };
  return { figures, mustBeNone };
}

function complaints(mustBeNone: Record<string, number>, { accepted, gaveUp }: Visitors): string[] {
  const wrong = Object.entries(mustBeNone).filter(([, times]) => times > 0);
  if (wrong.length === 0 && accepted.size === 0 && gaveUp === 0) return ["Nothing was sent."];
  return wrong.map(([what, times]) => `${what}: ${times}`);
}
