import { fc } from "#tests/support/property";
import { addressFaults, queryFaults } from "./address-faults.ts";
import { bodyFaults } from "./body-faults.ts";
import { type Exchange, exchange } from "./exchange.ts";
import type { Fault } from "./fault.ts";
import { headerFaults } from "./header-faults.ts";
import type { Route, Surface } from "./surface.ts";
import { countAnswer, newTally, type Tally } from "./tally.ts";
import { type Knowledge, render, validRequest } from "./valid-request.ts";

interface BadRequest {
  bytes: Buffer;
  route: Route;
  /** The route, and what is wrong with the request. */
  description: string;
}

/** Most of the code is behind these routes, so every second request goes to one of them. */
const isDeep = ({ method, url }: Route) =>
  (url === "/rest/v1/*" && ["GET", "POST", "PATCH", "DELETE"].includes(method)) ||
  (method === "POST" && !url.startsWith("/rest/"));

/**
 * Returns the bad requests of a seed by their number. The same seed, number and routes give the same request; only the
 * tokens in it are those of the run.
 */
export function badRequests(seed: number, surface: Surface, known: Knowledge): (index: number) => BadRequest {
  const deep = surface.routes.filter(isDeep);
  const faultsOfApi = faults(surface, "/rest/");
  const faultsOfPages = faults(surface, "/");

  return (index) => {
    // All routes in turn, so that even a short run attacks most of them.
    const list = index % 2 ? deep : surface.routes;
    const route = list[Math.floor(index / 2) % list.length] as Route;
    const applicable = route.url.startsWith("/rest/") ? faultsOfApi : faultsOfPages;
    const requests = fc.tuple(validRequest(index, route, surface, known), applicable);
    const [sample] = fc.sample(requests, { seed: seed ^ Math.imul(index + 1, 0x9e3779b1), numRuns: 1 });
    if (!sample) throw new Error("fast-check made no sample.");

    const [draft, found] = sample;
    const description = `${draft.method} ${draft.path} with ${found.map(({ name }) => name).join(" and ")}`;
    for (const { apply } of found) apply(draft, index);
    return { bytes: render(draft), route, description };
  };
}

/** Everything that can be wrong with a request. A second fault may come on top. */
function faults(surface: Surface, url: string): fc.Arbitrary<Fault[]> {
  const kinds = [bodyFaults, addressFaults, headerFaults];
  const any = fc.oneof(...kinds, ...(url.startsWith("/rest/") ? [queryFaults(surface)] : []));
  return fc.array(any, { minLength: 1, maxLength: 2 });
}

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

/** Sends bad requests. `accepted` has the numbers of those whose answer was a success, so they may have stored a contact. */
export async function runBadRequests(options: Options): Promise<{ tally: Tally; accepted: ReadonlySet<number> }> {
  const { port, seed, surface, readKnowledge, signal, onAnswer } = options;
  const tally = newTally();
  const accepted = new Set<number>();
  const queue = [...options.indexes];
  let build = badRequests(seed, surface, await readKnowledge());

  const worker = async () => {
    for (let index = queue.shift(); index !== undefined && !signal.aborted; index = queue.shift()) {
      const request = build(index);
      const answer = await exchange(port, request.bytes);
      countAnswer(tally, answer, `${request.description} (--only ${index})`);
      if (answer.status < 400 && answer.status > 0) accepted.add(index);
      onAnswer?.(index, request, answer);
      if (tally.requests % requestsPerSession === 0) build = badRequests(seed, surface, await readKnowledge());
    }
  };
  await Promise.all(Array.from({ length: requestsAtOnce }, worker));
  return { tally, accepted };
}

/** A sentence for each stored contact that no accepted request brought. */
export function findUnaccepted(contacts: readonly string[], accepted: ReadonlySet<number>): string[] {
  return contacts
    .filter((text) => {
      const [, index] = /\bi(\d+)x\b/.exec(text) ?? [];
      return index === undefined || !accepted.has(Number(index));
    })
    .map((text) => `A refused request stored a contact: ${text.slice(0, 100)}`);
}
