import type { FastifyRequest } from "fastify";
import { identifiesSender, networkOf } from "#backend/http/ip-address";
import { tooManyRequests } from "#backend/http/refusal";
import { bucketOf, limits, type Subject } from "./limits.ts";
import { Semaphore } from "./semaphore.ts";

/**
 * Limits what one network and one session may do, so that a flood from it stops no other visitor
 * (docs/protocol.md#limits-against-floods). They hold per server and in memory: a flood must not cost the database
 * anything. No honest rhythm, that of a large office included, comes near them.
 */
export function floodLimits(now: () => number = () => performance.now()) {
  return { take: takeFromBuckets(now), withConnection: limitConnections(now) };
}

export type FloodLimits = ReturnType<typeof floodLimits>;

export const noFloodLimits: FloodLimits = {
  take() {},
  withConnection: (_request, work) => work(),
};

type FloodLimit = "requests" | "requests of a session" | "inserted rows";

/**
 * The number of buckets in memory, about 100 bytes each. With more of them, the one unused for the longest time is
 * forgotten, which makes it full.
 */
const bucketsMax = 40_000;

/**
 * Returns what takes a token, or throws the refusal that `refuse` makes. `@fastify/rate-limit` counts requests instead of
 * rows, and the memory of `rate-limiter-flexible` has no bound.
 */
function takeFromBuckets(now: () => number) {
  /** When each bucket will be full again, in milliseconds. The least recently used bucket comes first. */
  const fullAt = new Map<string, number>();

  return <N extends FloodLimit>(
    name: N,
    subject: Subject<N>,
    { tokens = 1, refuse = tooManyRequests }: { tokens?: number; refuse?: (retryAfterSeconds: number) => Error } = {},
  ) => {
    const { atOnce, seconds } = limits[name];
    const { ip } = subject as { ip?: string };
    const bucket = bucketOf(name, ip === undefined ? subject : { ...subject, ip: senderOf(ip) });
    // A request for more than a whole bucket takes all of it. SQL refuses so many.
    const fullAgain = Math.max(fullAt.get(bucket) ?? 0, now()) + 1000 * seconds * Math.min(tokens, atOnce);
    const wait = fullAgain - now() - 1000 * seconds * atOnce;
    if (wait > 0) throw refuse(Math.ceil(wait / 1000));

    fullAt.delete(bucket);
    fullAt.set(bucket, fullAgain);
    for (const oldest of fullAt.keys()) {
      if (fullAt.size <= bucketsMax) break;
      fullAt.delete(oldest);
    }
  };
}

/** Local and unreadable addresses may be all visitors of the site, behind a proxy that does not name them. */
function senderOf(ip: string): string {
  return identifiesSender(ip) ? networkOf(ip) : "unknown";
}

/**
 * Of the 20 connections of callers and the 7 of the auth API together, one network uses at most 4 at once: its other
 * requests wait in a queue of their own, and all other networks go on. Unknown senders leave 4 connections of callers to
 * the others.
 */
export const connectionShares = {
  network: { runningMax: 4, waitingMax: 50 },
  "all unknown senders": { runningMax: 16, waitingMax: 200 },
};

/** A request that has waited for longer is refused when its turn comes. */
const waitMillisecondsMax = 5000;

/**
 * Returns a function that runs `work`, which uses a connection to the database, once the network's share of the
 * connections allows it. If too many requests of the network wait already, it throws the refusal that `refuse` makes.
 * `work` must not call it again: it would wait for itself.
 */
function limitConnections(now: () => number) {
  const shares = new Map<string, Semaphore>();

  return async <T>(
    { ip, raw }: Pick<FastifyRequest, "ip" | "raw">,
    work: () => Promise<T>,
    refuse: (retryAfterSeconds: number) => Error = tooManyRequests,
  ): Promise<T> => {
    const sender = senderOf(ip);
    const { runningMax, waitingMax } = connectionShares[sender === "unknown" ? "all unknown senders" : "network"];
    const share = shares.get(sender) ?? new Semaphore(runningMax);
    if (share.isFull(waitingMax)) throw refuse(1);

    shares.set(sender, share);
    const deadline = now() + waitMillisecondsMax;
    try {
      return await share.run(() => {
        // If the client has disconnected, nobody reads the answer.
        if (raw.socket.destroyed || now() > deadline) throw refuse(1);
        return work();
      });
    } finally {
      if (share.isIdle) shares.delete(sender);
    }
  };
}
