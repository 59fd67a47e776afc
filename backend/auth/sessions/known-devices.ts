import type { Database } from "#backend/database/transaction";
import { networkOf } from "#backend/http/ip-address";
import { addSeconds } from "../add-seconds.ts";
import { hashOf } from "../tokens/random-tokens.ts";
import { deviceNameOf } from "./device-name.ts";

export interface Client {
  ip: string;
  userAgent: string | undefined;
}

/** How long a network or device stays known after the last sign-in from it. */
export const deviceRetentionSeconds = { network: 60 * 24 * 60 * 60, device: 180 * 24 * 60 * 60 };

/** What an account used in a network. A stolen password is not enough for its second factor. */
type Proof = "password or mail" | "second factor";

/**
 * Whether the account used this proof in the network of `ip` lately. Without a user id the query matches nothing but costs
 * the same, so timing does not reveal accounts.
 */
export async function isKnownNetwork(db: Database, userId: string | undefined, ip: string, proof: Proof, now: Date) {
  const { rowCount } = await db.query({
    name: "known network",
    text: "select from auth.known_devices where user_id = $1 and kind = 'network' and value_hash = $2 and seen_at > $3",
    values: [userId ?? null, hashOfNetwork(userId, ip, proof), knownSince("network", now)],
  });
  return rowCount === 1;
}

/** What a mail tells its reader about where and when something happened. */
export function factsOfClient({ ip, userAgent }: Client, now: Date) {
  return [
    ["Device", deviceNameOf(userAgent)],
    ["IP address", ip],
    ["Time", `${now.toISOString().slice(0, 16).replace("T", " ")} UTC`],
  ] as const;
}

export function hashOfNetwork(userId: string | undefined, ip: string, proof: Proof): Buffer {
  return hashOfValue(userId, proof === "second factor" ? `${networkOf(ip)} with the second factor` : networkOf(ip));
}

export function hashOfDevice(userId: string, userAgent: string | undefined): Buffer {
  return hashOfValue(userId, deviceNameOf(userAgent));
}

/** With the user id: equal hashes would show that two accounts use the same network or device. */
function hashOfValue(userId: string | undefined, value: string): Buffer {
  return hashOf(`${userId} at ${value}`);
}

export function knownSince(kind: keyof typeof deviceRetentionSeconds, now: Date): Date {
  return addSeconds(now, -deviceRetentionSeconds[kind]);
}
