import type { Pool } from "pg";
import { repeatable } from "#server/database/reconnect";
import { wideNetworkOf } from "#server/http/ip-address";
import { refusals } from "../refusals.ts";
import { type Purpose, purposes } from "../tokens/one-time-tokens.ts";
import { type RateLimit, takeToken } from "./rate-limiter.ts";

const hour = 60 * 60;

/** How often one network may try the code of one mail. */
export const attemptsAtOneCode = 5;

/**
 * Limits the guessing of mailed codes (docs/protocol.md#attempts-of-codes). Each new mail has a new code with new
 * attempts, so the attempts at all codes of an address are limited as well. A stranger uses up the attempts of the
 * stranger's own network only; many networks together can use up those of the address, and then its owner follows the
 * link.
 */
const limits = {
  ofNetwork: { burst: 15, secondsPerToken: hour },
  ofAllNetworks: { burst: 100, secondsPerToken: hour / 4 },
  /** A code lives an hour, so this bucket is never filled up for the same code. */
  ofNetworkAtOneCode: { burst: attemptsAtOneCode, secondsPerToken: hour },
} as const satisfies Record<string, RateLimit>;

interface Guess {
  email: string;
  /** Each purpose has its own attempts: the page tries a typed code with each of them. */
  purpose: Purpose;
  ip: string;
}

/** Throws 429 if this network, or all networks together, have no attempt at the codes of this address. */
export async function requireCodeAttempt(owner: Pool, { email, purpose, ip }: Guess, now: Date) {
  for (const [key, limit] of [
    [ofNetwork({ email, purpose, ip }), limits.ofNetwork],
    [ofAllNetworks({ email, purpose }), limits.ofAllNetworks],
  ] as const) {
    const retryAfterSeconds = await takeToken(repeatable(owner), key, limit, now);
    if (retryAfterSeconds > 0) throw refusals.rateLimited(retryAfterSeconds);
  }
}

/**
 * Takes one of this network's attempts at one code. Returns false if none is left. For an address without a code the
 * same statement runs, so that the time of the answer reveals nothing.
 */
export async function takeNetworkCodeAttempt(
  owner: Pool,
  { email, purpose, ip, codeHash = "none" }: Guess & { codeHash: string | undefined },
  now: Date,
): Promise<boolean> {
  const key = ofNetworkAtOneCode({ email, purpose, ip, codeHash });
  return (await takeToken(repeatable(owner), key, limits.ofNetworkAtOneCode, now)) === 0;
}

/** The keys of the limits that count attempts at the codes of this address, as made from these networks. */
export function codeLimitKeys(email: string, ips: readonly string[], codeHashes: readonly string[]): string[] {
  return purposes.flatMap((purpose) => [
    ofAllNetworks({ email, purpose }),
    ...ips.flatMap((ip) => [
      ofNetwork({ email, purpose, ip }),
      ...["none", ...codeHashes].map((codeHash) => ofNetworkAtOneCode({ email, purpose, ip, codeHash })),
    ]),
  ]);
}

function ofAllNetworks({ email, purpose }: Omit<Guess, "ip">): string {
  return `${purpose} codes of ${email}`;
}

function ofNetwork({ email, purpose, ip }: Guess): string {
  return `${purpose} codes of ${email} from ${wideNetworkOf(ip)}`;
}

function ofNetworkAtOneCode({ email, purpose, ip, codeHash }: Guess & { codeHash: string }): string {
  return `${purpose} code ${codeHash} of ${email} from ${wideNetworkOf(ip)}`;
}
