import type { Arrival } from "./smtp-log.ts";
import type { Interruption } from "./targets.ts";

export interface DeliveryReport {
  /** Contacts that their owner was told of. */
  told: ReadonlySet<string>;
  /** How often an owner was told once more than needed, by the reason. */
  again: { unanswered: number; serverKilled: number; unexplained: number };
  /** Those without a reason, for whoever looks for one. */
  unexplained: readonly Arrival[];
}

/** How long a server may take from the SMTP server's answer to the end of the job, on a busy machine. */
const noteSecondsMax = 5;

/**
 * Who sends mails cannot know of one whose answer never came, nor of one whose answer came to a dying server: these
 * are sent again. Nothing else may be.
 */
export function reportDeliveries(arrivals: readonly Arrival[], interruptions: readonly Interruption[]): DeliveryReport {
  const again = { unanswered: 0, serverKilled: 0, unexplained: 0 };
  const unexplained: Arrival[] = [];
  for (const mails of Map.groupBy(arrivals, ({ contactId }) => contactId).values()) {
    for (const mail of mails.slice(0, -1)) {
      if (!mail.answered) again.unanswered += 1;
      else if (interruptions.some((interruption) => wasCutShort(mail, interruption))) again.serverKilled += 1;
      else {
        again.unexplained += 1;
        unexplained.push(mail);
      }
    }
  }
  return { told: new Set(arrivals.map(({ contactId }) => contactId)), again, unexplained };
}

function wasCutShort({ contactId, at }: Arrival, interruption: Interruption): boolean {
  return interruption.contactIds.includes(contactId) && Math.abs(interruption.at - at) <= noteSecondsMax * 1000;
}
