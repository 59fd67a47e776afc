import { setTimeout as pause } from "node:timers/promises";
import { defaultPublicKey } from "#server/settings";
import { publicAddress } from "../public-address.ts";
import type { Random } from "./random.ts";

export interface Visitors {
  /** Addresses whose contact was answered with success. */
  accepted: Set<string>;
  retried: number;
  refused: number;
  gaveUp: number;
  /** How many may be sent by now. They pause there, so that there are some left for every kill. */
  allowed: number;
  /** Resolves when each has been answered with success, or lost patience; rejects when the run is aborted. */
  done: Promise<void>;
}

const atATime = 8;
/** Between two contacts of one of the eight, so that there are about forty contacts in a second. */
const pauseMillisecondsMax = 400;
/** Longer than any restart takes. Whoever sends the same again after 30 seconds means it, and it is stored twice. */
const patienceSeconds = 60;

interface Options {
  url: string;
  random: Random;
  signal: AbortSignal;
}

/** Sends contacts, each again until it is answered with success, as a patient visitor would. */
export function sendContacts(contacts: number, { url, random, signal }: Options): Visitors {
  const accepted = new Set<string>();
  const visitors: Visitors = { accepted, retried: 0, refused: 0, gaveUp: 0, allowed: 0, done: Promise.resolve() };
  let next = 0;

  const visitor = async () => {
    while (next < contacts) {
      const number = next++;
      while (number >= visitors.allowed) await pause(20, undefined, { signal });
      await sendUntilAccepted(number);
      await pause(random.below(pauseMillisecondsMax), undefined, { signal });
    }
  };

  async function sendUntilAccepted(number: number) {
    const email = `visitor-${number}@chaos.example`;
    const deadline = performance.now() + patienceSeconds * 1000;
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
        method: "POST",
        headers: {
          apikey: defaultPublicKey,
          "content-type": "application/json",
          "x-forwarded-for": address,
        },
        body: JSON.stringify(contact),
        signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
      });
      await answer.arrayBuffer();
      return answer.status;
    } catch {
      return 0;
    }
  }

  visitors.done = Promise.all(Array.from({ length: atATime }, visitor)).then(() => {});
  return visitors;
}
