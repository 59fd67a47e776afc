import type { DeliveredMail } from "../smtp/smtp-log.ts";
import type { Query } from "./job-queue.ts";

/** A kill of a server, and the contacts whose notifications were being sent at that moment. */
export interface ServerKill {
  at: number;
  contactIds: readonly string[];
}

export interface DeliveryReport {
  /** The ids of the contacts of which the site's owner was notified. */
  notifiedIds: ReadonlySet<string>;
  /** The number of repeated notifications, for each reason. */
  repeats: { unconfirmed: number; serverKilled: number; unexplained: number };
  /** The mails that were repeated without a known reason. */
  unexplained: readonly DeliveredMail[];
}

/** After the SMTP server's reply, our server ends the job of this mail within this time, even on a busy machine. */
const jobEndSecondsMax = 5;

/**
 * Delivery is at least once: the server sends a mail again if it got no reply to it, or if it was killed before it
 * could store the reply. Every other repeat is a bug.
 */
export function reportDeliveries(mails: readonly DeliveredMail[], kills: readonly ServerKill[]): DeliveryReport {
  const repeats = { unconfirmed: 0, serverKilled: 0, unexplained: 0 };
  const unexplained: DeliveredMail[] = [];
  for (const ofContact of Map.groupBy(mails, ({ contactId }) => contactId).values()) {
    for (const mail of ofContact.slice(0, -1)) {
      if (!mail.isConfirmed) repeats.unconfirmed += 1;
      else if (kills.some((kill) => wasInterrupted(mail, kill))) repeats.serverKilled += 1;
      else {
        repeats.unexplained += 1;
        unexplained.push(mail);
      }
    }
  }
  return { notifiedIds: new Set(mails.map(({ contactId }) => contactId)), repeats, unexplained };
}

function wasInterrupted({ contactId, at }: DeliveredMail, kill: ServerKill): boolean {
  return kill.contactIds.includes(contactId) && Math.abs(kill.at - at) <= jobEndSecondsMax * 1000;
}

/**
 * Call it when the server killed at `at` runs again. It extended its leases for the last time before `at`, and no server
 * takes these jobs over before they expire, so all of them are still there.
 */
export async function findInterrupted(query: Query, at: number): Promise<ServerKill> {
  const jobs = await query<{ contact_id: string }>(
    `select payload ->> 'contact_id' as contact_id from private.jobs
     where leased_until <= $1::timestamptz + interval '15 seconds'`,
    [new Date(at)],
  );
  return { at, contactIds: jobs.map(({ contact_id }) => contact_id) };
}
