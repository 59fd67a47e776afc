import { reportDeliveries } from "../chaos/delivery-report.ts";
import { quantile } from "../load/quantile.ts";
import { deliveredMails, readEvents } from "../smtp/smtp-log.ts";
import { contactKinds, type Sent } from "./load.ts";
import type { Down, Targets } from "./targets.ts";

/** From the beginning of an event to that of the next one. */
export interface Phase {
  name: string;
  from: number;
  mayLose: boolean;
  down: Down | undefined;
}

export interface PassResult {
  figures: Record<string, number>;
  phases: Record<string, Record<string, number>>;
  /** A sentence for each request that failed, those included that may fail. */
  failures: string[];
  /** A sentence for each figure that must be 0 and is not. */
  problems: string[];
}

/** What came of the requests of a pass. */
export async function report(targets: Targets, sent: readonly Sent[], phases: readonly Phase[]): Promise<PassResult> {
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
  const isInFlight = (request: Sent) => phases.some(({ down }) => down && wasInFlight(request, down));
  const isExcused = (request: Sent) =>
    phases.some(({ down, mayLose }) => down && mayLose && wasInFlight(request, down));
  const excused = failed.filter(isExcused);
  const waits = contacts.map(({ plannedAt, answeredAt }) => answeredAt - plannedAt);

  const mustBeZero = {
    "failed beyond those in flight": failed.length - excused.length,
    lost: acknowledged.difference(stored).size,
    doubled: rows.length - stored.size,
    "not announced": rows.filter(({ id }) => !notifiedIds.has(id)).length,
    "announced twice without a kill": repeats.unexplained + repeats.unconfirmed,
  };
  const figures = {
    "contacts sent": contacts.length,
    acknowledged: acknowledged.size,
    "other requests": sent.length - contacts.length,
    "in flight at the end of a server or of PostgreSQL": sent.filter(isInFlight).length,
    "of these failed, at a kill or a restart of PostgreSQL": excused.length,
    "contacts among them": excused.filter(({ kind }) => contactKinds.includes(kind)).length,
    ...mustBeZero,
    "announced twice, server killed at the reply of the mail server": repeats.serverKilled,
    "wait of a contact, median, ms": Math.round(quantile(waits, 0.5)),
    "99th percentile, ms": Math.round(quantile(waits, 0.99)),
    "longest, ms": Math.round(quantile(waits, 1)),
  };
  const problems = Object.entries(mustBeZero)
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${name}: ${count}`);
  return {
    figures,
    phases: reportPhases(sent, phases),
    failures: failed.map((request) => describe(request, phases, isExcused(request))),
    problems,
  };
}

/** Sent before the process had ended, and not answered when it got its signal. */
function wasInFlight({ sentAt, answeredAt }: Sent, { from, to }: Down): boolean {
  return sentAt <= to && answeredAt >= from;
}

function reportPhases(sent: readonly Sent[], phases: readonly Phase[]): PassResult["phases"] {
  const rows = phases.map(({ name, from, down }, index) => {
    const next = phases[index + 1]?.from ?? Number.POSITIVE_INFINITY;
    const during = sent.filter(({ sentAt }) => sentAt >= from && sentAt < next);
    const failed = sent.filter(
      (request) => !request.isRight && (during.includes(request) || (down && wasInFlight(request, down))),
    );
    const waits = during.map(({ plannedAt, answeredAt }) => answeredAt - plannedAt);
    const figures = {
      requests: during.length,
      "in flight": down ? sent.filter((request) => wasInFlight(request, down)).length : 0,
      failed: failed.length,
      "until it had ended, ms": Math.round(down ? down.to - down.from : 0),
      "median, ms": Math.round(quantile(waits, 0.5)),
      "99th percentile, ms": Math.round(quantile(waits, 0.99)),
      "longest, ms": Math.round(quantile(waits, 1)),
    };
    return [`${index}. ${name}`, figures] as const;
  });
  return Object.fromEntries(rows);
}

function describe(
  { kind, email, status, sentAt, answeredAt }: Sent,
  phases: readonly Phase[],
  isExcused: boolean,
): string {
  const phase = phases.findLast(({ from }) => from <= sentAt);
  const seconds = ((answeredAt - sentAt) / 1000).toFixed(2);
  return `${isExcused ? "in flight, " : ""}${kind} ${email} ${status} after ${seconds} s, during "${phase?.name}"`;
}
