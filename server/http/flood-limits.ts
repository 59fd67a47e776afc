import type { FastifyRequest } from "fastify";
import PQueue from "p-queue";
import { identifiesSender, networkOf, wideNetworkOf } from "./ip-address.ts";
import { tooManyRequests } from "./refusal.ts";

/**
 * Limits what one network may do, so that a flood from it stops no other visitor (docs/protocol.md#limits-against-floods).
 * They hold per server and in memory. No honest rhythm, that of a large office included, comes near them.
 */
export interface FloodLimits {
  /** Throws 429 if the network sends contacts too fast. */
  takeContacts(ip: string, contacts: number): void;
  /**
   * Runs `work`, which uses a connection to the database, when the network's share of the connections allows it. Throws
   * what `refuse` makes of the seconds to wait if too many requests of the network wait already. `work` must not call it
   * again: it would wait for itself.
   */
  withConnection<T>(
    request: Pick<FastifyRequest, "ip" | "raw">,
    work: () => Promise<T>,
    refuse?: (retryAfterSeconds: number) => Error,
  ): Promise<T>;
}

export const noFloodLimits: FloodLimits = {
  takeContacts() {},
  withConnection: (_request, work) => work(),
};

export function floodLimits(now: () => number = () => performance.now()): FloodLimits {
  return { takeContacts: limitContacts(now), withConnection: limitConnections(now) };
}

/**
 * All senders with a local or unreadable address are one: visitors behind a proxy that does not name them, or programs
 * of the operator. Their limits are higher, because they may be all visitors of the site.
 */
const unknownSender = "unknown";

interface ContactLimit {
  burst: number;
  perSecond: number;
}
const ordinaryLimit: ContactLimit = { burst: 100, perSecond: 1 };
const largeLimit: ContactLimit = { burst: 400, perSecond: 4 };

/**
 * The number of buckets in memory, about 100 bytes each. With more networks, the one unused for the longest time is
 * forgotten, which makes its bucket full.
 */
const bucketsMax = 20_000;

/**
 * Token buckets, as in server/auth/limits/rate-limiter.ts, but in memory: a flood must not cost the database anything.
 * `@fastify/rate-limit` counts requests instead of rows, and the memory of `rate-limiter-flexible` has no bound.
 */
function limitContacts(now: () => number): FloodLimits["takeContacts"] {
  /** When each bucket will be full again, in milliseconds. The least recently used bucket comes first. */
  const fullAt = new Map<string, number>();

  return (ip, contacts) => {
    const taken = bucketsOf(ip).map(([key, { burst, perSecond }]) => {
      // A request for more than a whole bucket takes all of it. SQL refuses it.
      const milliseconds = (1000 * Math.min(contacts, burst)) / perSecond;
      const fullAgain = Math.max(fullAt.get(key) ?? 0, now()) + milliseconds;
      return { key, fullAgain, wait: fullAgain - now() - (1000 * burst) / perSecond };
    });
    const wait = Math.max(...taken.map((each) => each.wait));
    if (wait > 0) throw tooManyRequests(Math.ceil(wait / 1000));

    for (const { key, fullAgain } of taken) {
      fullAt.delete(key);
      fullAt.set(key, fullAgain);
    }
    for (const key of fullAt.keys()) {
      if (fullAt.size <= bucketsMax) break;
      fullAt.delete(key);
    }
  };
}

function bucketsOf(ip: string): [key: string, limit: ContactLimit][] {
  if (!identifiesSender(ip)) return [[unknownSender, largeLimit]];
  const network = networkOf(ip);
  const wideNetwork = networkOf(ip, 48);
  if (wideNetwork === network) return [[network, ordinaryLimit]];
  return [
    [network, ordinaryLimit],
    [wideNetwork, largeLimit],
  ];
}

/**
 * Of the 20 connections of callers, and of the 5 of the auth API, one network uses at most 4 at once: its other requests
 * wait in a queue of their own, and all other networks go on. A network is a /24 or an IPv6 /48 here, because one
 * customer may have that many addresses. Unknown senders leave 4 connections of callers to the others.
 */
const ordinaryShare = { runningMax: 4, waitingMax: 50 };
const unknownShare = { runningMax: 16, waitingMax: 200 };

/** A request that has waited for longer is refused when its turn comes. */
const waitMillisecondsMax = 5000;

function limitConnections(now: () => number): FloodLimits["withConnection"] {
  const shares = new Map<string, { queue: PQueue; requests: number }>();

  return async ({ ip, raw }, work, refuse = tooManyRequests) => {
    const isUnknown = !identifiesSender(ip);
    const { runningMax, waitingMax } = isUnknown ? unknownShare : ordinaryShare;
    const key = isUnknown ? unknownSender : wideNetworkOf(ip);
    const share = shares.get(key) ?? { queue: new PQueue({ concurrency: runningMax }), requests: 0 };
    if (share.requests >= runningMax + waitingMax) throw refuse(1);

    shares.set(key, share);
    share.requests += 1;
    const deadline = now() + waitMillisecondsMax;
    try {
      return await share.queue.add(() => {
        // If the client has disconnected, nobody reads the answer.
        if (raw.socket.destroyed || now() > deadline) throw refuse(1);
        return work();
      });
    } finally {
      share.requests -= 1;
      if (share.requests === 0) shares.delete(key);
    }
  };
}
