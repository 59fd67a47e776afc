import type { FastifyRequest } from "fastify";
import { identifiesSender, wideNetworkOf } from "./ip-address.ts";
import { bucketOf, limits } from "./limits.ts";
import { tooManyRequests } from "./refusal.ts";
import { Semaphore } from "./semaphore.ts";

/**
 * Limits what one network may do, so that a flood from it stops no other visitor (docs/protocol.md#limits-against-floods).
 * They hold per server and in memory. No honest rhythm, that of a large office included, comes near them.
 */
export function floodLimits(now: () => number = () => performance.now()) {
  return { takeContacts: limitContacts(now), withConnection: limitConnections(now) };
}

export type FloodLimits = ReturnType<typeof floodLimits>;

export const noFloodLimits: FloodLimits = {
  takeContacts() {},
  withConnection: (_request, work) => work(),
};

/**
 * The number of buckets in memory, about 100 bytes each. With more networks, the one unused for the longest time is
 * forgotten, which makes its bucket full.
 */
const bucketsMax = 40_000;

/**
 * Returns what throws 429 if a network sends contacts too fast. Token buckets, as in backend/auth/limits/rate-limiter.ts, but
 * in memory: a flood must not cost the database anything.
 * `@fastify/rate-limit` counts requests instead of rows, and the memory of `rate-limiter-flexible` has no bound.
 */
function limitContacts(now: () => number) {
  /** When each bucket will be full again, in milliseconds. The least recently used bucket comes first. */
  const fullAt = new Map<string, number>();

  return (ip: string, contacts: number) => {
    // Local and unreadable addresses may be all visitors of the site, behind a proxy that does not name them.
    const names = identifiesSender(ip)
      ? (["contacts", "contacts of an end site"] as const)
      : (["contacts of unknown senders"] as const);
    const taken = names.map((name) => {
      const { atOnce, seconds } = limits[name];
      const bucket = bucketOf(name, { ip });
      // A request for more than a whole bucket takes all of it. SQL refuses it.
      const fullAgain = Math.max(fullAt.get(bucket) ?? 0, now()) + 1000 * seconds * Math.min(contacts, atOnce);
      return { bucket, fullAgain, wait: fullAgain - now() - 1000 * seconds * atOnce };
    });
    const wait = Math.max(...taken.map((each) => each.wait));
    if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000));

    for (const { bucket, fullAgain } of taken) {
      fullAt.delete(bucket);
      fullAt.set(bucket, fullAgain);
    }
    for (const bucket of fullAt.keys()) {
      if (fullAt.size <= bucketsMax) break;
      fullAt.delete(bucket);
    }
  };
}

/**
 * Of the 20 connections of callers and the 5 of the auth API together, one network uses at most 4 at once: its other
 * requests wait in a queue of their own, and all other networks go on. A network is a /24 or an IPv6 /48 here, because
 * one customer may have that many addresses. Unknown senders leave 4 connections of callers to the others.
 */
export const connectionShares = {
  "wide network": { runningMax: 4, waitingMax: 50 },
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
    const isKnown = identifiesSender(ip);
    const { runningMax, waitingMax } = connectionShares[isKnown ? "wide network" : "all unknown senders"];
    const sender = isKnown ? wideNetworkOf(ip) : "unknown";
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
