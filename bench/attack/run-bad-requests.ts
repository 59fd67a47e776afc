import type { BadRequest, Family } from "./bad-requests.ts";
import { badRequests, families } from "./bad-requests.ts";
import type { Knowledge } from "./draft.ts";
import { type Exchange, exchange } from "./exchange.ts";
import type { Surface } from "./surface.ts";
import { countAnswer, newTally, type Tally } from "./tally.ts";

interface Options {
  port: number;
  seed: number;
  /** The numbers of the requests to send. */
  indexes: Iterable<number>;
  surface: Surface;
  /** Called before the first request, and again from time to time, because some requests end sessions. */
  readKnowledge: () => Promise<Knowledge>;
  signal: AbortSignal;
  onAnswer?: (index: number, request: BadRequest, answer: Exchange) => void;
}

const requestsAtOnce = 16;
const requestsPerSession = 500;

/**
 * Which requests may have stored a contact: their answer was a success, or they broke the connection and so lost answers
 * on it.
 */
export type Accepted = ReadonlySet<number>;

export async function runBadRequests(
  options: Options,
): Promise<{ tallies: Record<Family, Tally>; accepted: Accepted }> {
  const { port, seed, surface, readKnowledge, signal, onAnswer } = options;
  const tallies = Object.fromEntries(families.map((family) => [family, newTally()])) as Record<Family, Tally>;
  const accepted = new Set<number>();
  const queue = [...options.indexes];
  let sent = 0;
  let build = badRequests(seed, surface, await readKnowledge());

  const worker = async () => {
    for (let index = queue.shift(); index !== undefined && !signal.aborted; index = queue.shift()) {
      sent += 1;
      if (sent % requestsPerSession === 0) build = badRequests(seed, surface, await readKnowledge());
      const request = build(index);
      const answer = await exchange(port, request);
      const status = Math.max(0, ...answer.statuses);
      const description = `${request.description} (--only ${index})`;
      countAnswer(tallies[request.family], { status, isHung: answer.isHung }, description);
      if (request.until === "end" || answer.statuses.some((each) => each < 400)) accepted.add(index);
      onAnswer?.(index, request, answer);
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  return { tallies, accepted };
}

/** A sentence for each stored contact that no accepted request brought. */
export function findUnaccepted(contacts: readonly string[], accepted: Accepted): string[] {
  return contacts
    .filter((text) => {
      const [, index] = /\bi(\d+)x\b/.exec(text) ?? [];
      return text.startsWith("smuggled") || index === undefined || !accepted.has(Number(index));
    })
    .map((text) => `A refused request stored a contact: ${text.slice(0, 100)}`);
}
