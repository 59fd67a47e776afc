import { setTimeout as pause } from "node:timers/promises";
import { reportDeliveries } from "../chaos/delivery-report.ts";
import { untilQueueIsEmpty } from "../chaos/job-queue.ts";
import { quantile } from "../load/quantile.ts";
import { deliveredMails, readEvents } from "../smtp/smtp-log.ts";
import { changedEmail, changesIn, contactKinds, pauseUntil, type Sent, sendLoad } from "./load.ts";
import type { Down, ServerNumber, Targets } from "./targets.ts";

/** What happens to a process during the load. */
interface Event {
  name: string;
  /** Whether a request in flight may fail. */
  mayLose: boolean;
  /** When it begins, as a share of the whole time; the events of an upgrade follow each other without a pause. */
  at: number;
  run(targets: Targets, downSeconds: number, signal: AbortSignal): Promise<Down>;
}

const kill = (number: ServerNumber, at: number): Event => ({
  name: `server ${number + 1}: kill -9, started again`,
  mayLose: true,
  at,
  async run(targets, downSeconds, signal) {
    const killedAt = Date.now();
    const down = await targets.end(number, "SIGKILL");
    await pause(downSeconds * 1000, undefined, { signal });
    await targets.startAgain(number);
    await targets.noteInterrupted(killedAt);
    return down;
  },
});

const upgrade = (number: ServerNumber, at: number): Event => ({
  name: `server ${number + 1}: SIGTERM, successor started`,
  mayLose: false,
  at,
  async run(targets) {
    const down = await targets.end(number, "SIGTERM");
    await targets.startAgain(number);
    return down;
  },
});

const restartPostgres = (mode: "fast" | "immediate", at: number): Event => ({
  name: `PostgreSQL: restart -m ${mode}`,
  mayLose: true,
  at,
  run: (targets) => targets.restartPostgres(mode),
});

export const passes: Record<string, Event[]> = {
  crash: [kill(0, 0.1), kill(1, 0.4), restartPostgres("immediate", 0.75)],
  upgrade: [upgrade(0, 0.1), upgrade(1, 0.1), restartPostgres("fast", 0.5), upgrade(0, 0.7), upgrade(1, 0.7)],
};

interface Options {
  seconds: number;
  signal: AbortSignal;
  progress: (message: string) => void;
}

/** Sends the load while the events of a pass happen. Resolves with its figures and a sentence for each that is wrong. */
export async function runPass(targets: Targets, events: readonly Event[], options: Options) {
  const { seconds, signal, progress } = options;
  await storeContactsToChange(targets, seconds);
  const { access_token: token } = await targets.signIn("admin");
  const started = performance.now();
  const downs: (Down & { mayLose: boolean })[] = [];
  const happening = happen();
  const [sent] = await Promise.all([sendLoad(targets.url, { seconds, events: happening, token, signal }), happening]);
  await untilQueueIsEmpty(targets.query, options);
  return report(targets, sent, downs);

  async function happen() {
    for (const { name, at, mayLose, run } of events) {
      await pauseUntil(started + at * seconds * 1000, signal);
      progress(name);
      downs.push({ ...(await run(targets, seconds / 20, signal)), mayLose });
    }
  }
}

/** Without their jobs, so that the mails about them do not delay those of the load. */
async function storeContactsToChange({ query }: Targets, seconds: number) {
  await query(
    `insert into contacts (name, company, email, interest)
     select 'Visitor', 'Two', replace($1, '0', n::text), 'consulting' from generate_series(0, $2 - 1) n`,
    [changedEmail(0), changesIn(seconds)],
  );
  await query("delete from private.jobs where task = 'announce-contact' and leased_by is null");
}

async function report(targets: Targets, sent: readonly Sent[], downs: readonly (Down & { mayLose: boolean })[]) {
  const contacts = sent.filter(({ kind }) => contactKinds.includes(kind));
  const acknowledged = new Set(contacts.filter(({ isRight }) => isRight).map(({ email }) => email));
  const emails = new Set(contacts.map(({ email }) => email));
  const allRows = await targets.query<{ id: string; email: string }>("select id, email from contacts");
  const rows = allRows.filter(({ email }) => emails.has(email));
  const stored = new Set(rows.map(({ email }) => email));
  const mails = deliveredMails(await readEvents(targets.smtpLog)).filter(({ contactId }) =>
    rows.some(({ id }) => id === contactId),
  );
  const { notifiedIds, repeats } = reportDeliveries(mails, targets.serverKills);
  const failed = sent.filter(({ isRight }) => !isRight);
  const isExcused = (request: Sent) => downs.some((down) => down.mayLose && wasInFlight(request, down));
  const waits = contacts.map(({ plannedAt, answeredAt }) => answeredAt - plannedAt);

  const mustBeZero = {
    "failed beyond those in flight": failed.filter((request) => !isExcused(request)).length,
    lost: acknowledged.difference(stored).size,
    doubled: rows.length - stored.size,
    "not announced": rows.filter(({ id }) => !notifiedIds.has(id)).length,
    "announced twice without a kill": repeats.unexplained + repeats.unconfirmed,
  };
  const figures = {
    "contacts sent": contacts.length,
    acknowledged: acknowledged.size,
    "other requests": sent.length - contacts.length,
    "in flight at the end of a server or of PostgreSQL": sent.filter((request) =>
      downs.some((down) => wasInFlight(request, down)),
    ).length,
    "of these failed, at a kill or a restart of PostgreSQL": failed.filter(isExcused).length,
    ...mustBeZero,
    "announced twice, server killed at the reply of the mail server": repeats.serverKilled,
    "wait of a contact, median, ms": Math.round(quantile(waits, 0.5)),
    "99th percentile, ms": Math.round(quantile(waits, 0.99)),
    "longest, ms": Math.round(quantile(waits, 1)),
  };
  const problems = Object.entries(mustBeZero).flatMap(([name, count]) => (count > 0 ? [`${name}: ${count}`] : []));
  const failures = failed.map(
    (request) => `${request.kind} ${request.email} ${request.status}${isExcused(request) ? ", in flight" : ""}`,
  );
  return { figures, problems, failures };
}

/** Sent before the process had ended, and not answered when it got its signal. */
function wasInFlight({ sentAt, answeredAt }: Sent, { from, to }: Down): boolean {
  return sentAt <= to && answeredAt >= from;
}
