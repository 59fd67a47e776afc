import { setTimeout as pause } from "node:timers/promises";
import { jsonRequest, publicAddress } from "../load/requests.ts";
import type { Random } from "../load/seeded-random.ts";

export interface Visitors {
  /** The email addresses of the contacts that the server accepted. */
  accepted: Set<string>;
  retried: number;
  refused: number;
  gaveUp: number;
  /**
   * How many contacts the visitors may send until this limit is raised. The rest wait, so that visitors still send
   * contacts when a process is killed.
   */
  sendMax: number;
  /**
   * Resolves when the server has accepted each contact or the visitor has given it up. Rejects when the run is aborted.
   */
  done: Promise<void>;
}

const visitorsAtOnce = 8;
/** The longest pause of a visitor between two contacts. All visitors together send about forty contacts a second. */
const pauseMillisecondsMax = 400;
/**
 * How long a visitor repeats a contact: longer than any restart takes. The database recognises a repeat for 30 seconds
 * (docs/specification.md#identical-contact), so a later repeat of a stored contact would be stored twice.
 */
const retrySecondsMax = 60;

interface Options {
  url: string;
  random: Random;
  signal: AbortSignal;
}

/** Sends contacts. A visitor repeats a contact until the server accepts it or `retrySecondsMax` is over. */
export function sendContacts(contacts: number, { url, random, signal }: Options): Visitors {
  const accepted = new Set<string>();
  const visitors: Visitors = { accepted, retried: 0, refused: 0, gaveUp: 0, sendMax: 0, done: Promise.resolve() };
  let next = 0;

  const visitor = async () => {
    while (next < contacts) {
      const number = next++;
      while (number >= visitors.sendMax) await pause(20, undefined, { signal });
      await sendUntilAccepted(number);
      await pause(random.below(pauseMillisecondsMax), undefined, { signal });
    }
  };

  async function sendUntilAccepted(number: number) {
    const email = `visitor-${number}@chaos.example`;
    const deadline = performance.now() + retrySecondsMax * 1000;
    while (performance.now() < deadline) {
      const contact = { name: `Visitor ${number}`, company: "Chaos", email, interest: "consulting" };
      const status = await send(contact, publicAddress(number));
      if (status === 201) return void accepted.add(email);
      if (status >= 400 && status < 500) visitors.refused += 1;
      visitors.retried += 1;
      await pause(50, undefined, { signal });
    }
    visitors.gaveUp += 1;
  }

  async function send(contact: Record<string, string>, address: string): Promise<number> {
    try {
      const answer = await fetch(`${url}/rest/v1/contacts`, {
        ...jsonRequest(contact, { "x-forwarded-for": address }),
        signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  visitors.done = Promise.all(Array.from({ length: visitorsAtOnce }, visitor)).then(() => {});
  return visitors;
}
