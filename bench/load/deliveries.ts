import { setTimeout as pause } from "node:timers/promises";
import type { ReceivedMail } from "./mail-server.ts";
import type { Measurement } from "./measurement.ts";
import type { Query } from "./postgres.ts";

/**
 * How long the queue may take to become empty after the last contact. The leases of a killed server expire within 20
 * seconds, and a job that waits for a hanging SMTP server fails after 30.
 */
const queueSecondsMax = 120;

/** Resolves with the number of jobs that are left. Failed jobs are repeated at once instead of after minutes. */
export async function untilQueueIsEmpty(query: Query, { progress, signal }: Measurement): Promise<number> {
  const deadline = performance.now() + queueSecondsMax * 1000;
  for (;;) {
    const jobs = await query("select from private.jobs where task <> 'remove-expired-contacts'");
    if (jobs.length === 0 || performance.now() > deadline) return jobs.length;
    progress(`${jobs.length} jobs left`);
    await query("update private.jobs set run_at = now() where leased_by is null and run_at > now()");
    await pause(1000, undefined, { signal });
  }
}

/**
 * The contacts whose mails a server was sending when it was killed. Call it when the server runs again: no server takes
 * these jobs over before their leases of 15 seconds expire. `endedAt` is when the process was gone, not when it got the
 * signal: a busy PostgreSQL may begin its last statement, which extends the leases, in between.
 */
export async function findInterrupted(query: Query, endedAt: Date): Promise<string[]> {
  const jobs = await query<{ contact_id: string }>(
    `select payload ->> 'contact_id' as contact_id from private.jobs
     where leased_until <= $1::timestamptz + interval '15 seconds'`,
    [endedAt],
  );
  return jobs.map(({ contact_id }) => contact_id);
}

interface Delivered {
  /** The addresses of the contacts that were acknowledged. */
  acknowledged: ReadonlySet<string>;
  /** The rows of all contacts that were sent. */
  rows: readonly { id: string; email: string }[];
  mails: readonly ReceivedMail[];
  /** The id of a contact, once for each kill of a server that was sending its mail. */
  interrupted: readonly string[];
}

/**
 * Counts what is wrong with contacts and their mails. Delivery is at least once: the server sends a mail again if it got
 * no reply to it, or if it was killed before it could store the reply. Every other repeat is a bug.
 */
export function reportContacts({ acknowledged, rows, mails, interrupted }: Delivered) {
  const stored = new Set(rows.map(({ email }) => email));
  const repeats = { unconfirmed: 0, serverKilled: 0, unexplained: 0 };
  const byContact = Map.groupBy(mails, ({ contactId }) => contactId);
  for (const { id } of rows) {
    const repeated = byContact.get(id)?.slice(0, -1) ?? [];
    const confirmed = repeated.filter(({ isConfirmed }) => isConfirmed).length;
    const explained = Math.min(confirmed, interrupted.filter((contactId) => contactId === id).length);
    repeats.unconfirmed += repeated.length - confirmed;
    repeats.serverKilled += explained;
    repeats.unexplained += confirmed - explained;
  }
  const mustBeZero = {
    lost: acknowledged.difference(stored).size,
    doubled: rows.length - stored.size,
    "not announced": rows.filter(({ id }) => !byContact.has(id)).length,
    "announced again, unexplained": repeats.unexplained,
  };
  return { mustBeZero, repeats };
}
