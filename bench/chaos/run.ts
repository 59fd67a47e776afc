import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { endLeftoverProcesses } from "../../scripts/leftover-processes.mjs";
import { type Random, seededRandom } from "../load/seeded-random.ts";
import { deliveredMails, readEvents } from "../smtp/smtp-log.ts";
import { reportDeliveries } from "./delivery-report.ts";
import { countJobs, untilQueueIsEmpty } from "./job-queue.ts";
import { type Kind, kinds, ServerLost, startTargets, type Targets } from "./targets.ts";
import { sendContacts, type Visitors } from "./visitors.ts";

interface Options {
  contacts: number;
  kills: number;
  seed: number;
  /** Aborting this signal ends the run and all its processes at once. */
  signal: AbortSignal;
  progress: (message: string) => void;
}

export interface Outcome {
  seed: number;
  /** Empty if the run ended early, before the contacts and mails were counted. */
  figures: Readonly<Record<string, number>>;
  /** The figures that must be 0. */
  mustBeZero: Readonly<Record<string, number>>;
  serversLost: number;
  seconds: number;
  /** A sentence for each failure. */
  problems: readonly string[];
  /** The folder with the data and the logs. It is kept only after a failure; otherwise this is undefined. */
  folder: string | undefined;
}

/**
 * The run fails if the server accepts no contact for this time. It is longer than any restart takes, and longer than a
 * visitor repeats a contact.
 */
const stalledSecondsMax = 90;

/** One run with its own server, PostgreSQL and SMTP server. Resolves when all have ended, also after a failure. */
export async function runChaos({ contacts, kills, seed, signal, progress }: Options): Promise<Outcome> {
  const started = performance.now();
  const folder = await mkdtemp(join(tmpdir(), "chaos-"));
  const failed = new AbortController();
  const abort = AbortSignal.any([signal, failed.signal]);
  let targets: Targets | undefined;
  let counted: Pick<Outcome, "figures" | "mustBeZero"> = { figures: {}, mustBeZero: {} };
  let serversLost = 0;
  const problems: string[] = [];
  try {
    targets = await startTargets({
      folder,
      seed,
      random: seededRandom(seed),
      signal: abort,
      onLost: (loss) => failed.abort(loss),
    });
    const { server, smtp } = targets.pids;
    progress(`the server is process ${server}, the SMTP server ${smtp}`);
    const visitors = sendContacts(contacts, { url: targets.url, random: seededRandom(seed + 1), signal: abort });
    const [killed] = await Promise.all([killAtRandom(targets, visitors), visitors.done]);
    await untilQueueIsEmpty(targets.query, { progress, signal: abort });
    counted = await count(targets, visitors, killed);
    problems.push(...problemsOf(counted.mustBeZero, visitors));
    const code = await targets.stop();
    if (code !== 0) problems.push(`The server did not stop in order: it ended with ${code ?? "a signal"}.`);
  } catch (error) {
    const reason = failed.signal.aborted ? failed.signal.reason : error;
    if (reason instanceof ServerLost) serversLost = 1;
    if (!signal.aborted) problems.push(reason instanceof Error ? reason.message : String(reason));
  }
  failed.abort();
  if (problems.length > 0) await writeFile(join(folder, "server.log"), targets?.output() ?? "");
  const leftovers = await endLeftoverProcesses(folder);
  if (problems.length === 0 && !signal.aborted && leftovers.length > 0)
    problems.push(`Processes left after the end: ${leftovers.join(", ")}.`);
  const isKept = problems.length > 0 && !signal.aborted;
  if (!isKept) await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

  const seconds = Number(((performance.now() - started) / 1000).toFixed(1));
  return { seed, ...counted, serversLost, seconds, problems, folder: isKept ? folder : undefined };

  /** Kills each of `kinds` equally often, in random order, after a random number of contacts and a random pause. */
  async function killAtRandom(targets: Targets, visitors: Visitors): Promise<Record<Kind, number>> {
    const random = seededRandom(seed + 2);
    const killed = { server: 0, PostgreSQL: 0, both: 0, SMTP: 0 };
    const share = Math.floor(contacts / (kills + 2));
    for (const kind of kindsInOrder(kills, random)) {
      const acceptedAtKill = Math.min(visitors.accepted.size + 1 + random.below(share), contacts);
      visitors.sendMax = acceptedAtKill + share;
      await untilAccepted(visitors, acceptedAtKill);
      await pause(random.below(300), undefined, { signal: abort });
      progress(`${visitors.accepted.size} of ${contacts} accepted, killing ${kind}`);
      await targets.kill(kind);
      killed[kind] += 1;
    }
    visitors.sendMax = contacts;
    return killed;
  }

  async function untilAccepted(visitors: Visitors, acceptedMin: number) {
    let last = visitors.accepted.size;
    let lastAt = performance.now();
    while (visitors.accepted.size < acceptedMin) {
      await pause(20, undefined, { signal: abort });
      if (visitors.accepted.size > last) [last, lastAt] = [visitors.accepted.size, performance.now()];
      if (performance.now() - lastAt > stalledSecondsMax * 1000)
        throw new Error(`No contact was accepted for ${stalledSecondsMax} seconds (${last} of ${contacts} so far).`);
    }
  }
}

function kindsInOrder(kills: number, random: Random): Kind[] {
  return random.shuffled(Array.from({ length: kills }, (_, kill) => kinds[kill % kinds.length] ?? "server"));
}

async function count(targets: Targets, visitors: Visitors, killed: Record<Kind, number>) {
  const { accepted, retried, refused, gaveUp } = visitors;
  const contacts = await targets.query<{ id: string; email: string }>("select id, email from contacts");
  const stored = new Set(contacts.map(({ email }) => email));
  const events = await readEvents(targets.log);
  const { notifiedIds, repeats, unexplained } = reportDeliveries(deliveredMails(events), targets.serverKills);
  const { jobs } = await countJobs(targets.query);
  const byEvent = Object.groupBy(events, ({ event }) => event);
  const times = (event: string) => byEvent[event]?.length ?? 0;
  for (const { contactId, at } of unexplained)
    console.log(`Contact ${contactId} was announced again after ${new Date(at).toISOString()}.`);

  const mustBeZero = {
    "gave up": gaveUp,
    lost: accepted.difference(stored).size,
    doubled: contacts.length - stored.size,
    "owner not notified": contacts.filter(({ id }) => !notifiedIds.has(id)).length,
    "owner notified again, unexplained": repeats.unexplained,
    "jobs left": jobs,
  };
  const figures = {
    accepted: accepted.size,
    "requests repeated": retried,
    "of these refused": refused,
    stored: contacts.length,
    ...mustBeZero,
    "owner notified at least once": contacts.filter(({ id }) => notifiedIds.has(id)).length,
    "owner notified again, SMTP disconnected or hung before its reply": repeats.unconfirmed,
    "owner notified again, server killed at the SMTP reply": repeats.serverKilled,
    ...Object.fromEntries(Object.entries(killed).map(([kind, times]) => [`killed: ${kind}`, times])),
    "SMTP refused": times("refuses the recipient") + times("refuses the mail"),
    "SMTP disconnected": times("disconnects during the mail") + times("disconnects after the mail"),
    "SMTP hung": times("hangs after the mail") + times("sends no greeting"),
  };
  return { figures, mustBeZero };
}

function problemsOf(mustBeZero: Record<string, number>, { accepted, gaveUp }: Visitors): string[] {
  const wrong = Object.entries(mustBeZero).filter(([, times]) => times > 0);
  if (wrong.length === 0 && accepted.size === 0 && gaveUp === 0) return ["Nothing was sent."];
  return wrong.map(([figure, times]) => `${figure}: ${times}`);
}
