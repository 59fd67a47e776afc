import { setTimeout as pause } from "node:timers/promises";
import type { Measurement } from "./measurement.ts";
import type { Query } from "./postgres.ts";
import type { Sent } from "./requests.ts";

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
 * How many contacts are lost that were answered with success, how many are stored twice, and how many of the stored ones
 * no mail of `announced` names. Each entry of it is the id of a contact.
 */
export async function countContacts(query: Query, sent: readonly Sent[], announced?: readonly string[]) {
  const rows = await query<{ id: string; email: string }>("select id, email from public.contacts");
  const stored = new Set(rows.map(({ email }) => email));
  return {
    lost: sent.filter(({ isRight, email }) => isRight && !stored.has(email)).length,
    doubled: rows.length - stored.size,
    ...(announced && { "not announced": rows.filter(({ id }) => !announced.includes(id)).length }),
  };
}
