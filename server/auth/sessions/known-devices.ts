import type { Database } from "#server/database/transaction";
import { networkOf } from "#server/http/ip-address";
import { addSeconds } from "../add-seconds.ts";
import { hashOf } from "../tokens/secrets.ts";
import { deviceNameOf } from "./device-name.ts";

export interface Client {
  ip: string;
  userAgent: string | undefined;
}

/** How long a network or device stays known after the last sign-in from it. */
export const deviceRetentionSeconds = { network: 60 * 24 * 60 * 60, device: 180 * 24 * 60 * 60 };

type Kind = keyof typeof deviceRetentionSeconds;

/**
 * Whether the account signed in from the network of `ip` lately. Without a user id the query matches nothing but costs
 * the same, so timing does not reveal accounts.
 */
export function isKnownNetwork(db: Database, userId: string | undefined, ip: string, now: Date): Promise<boolean> {
  return isKnown(db, hashOfValue(userId, networkOf(ip)), userId, now);
}

/** Like `isKnownNetwork`, but the account must have used its second factor there: a stolen password is not enough. */
export function isProvedNetwork(db: Database, userId: string, ip: string, now: Date): Promise<boolean> {
  return isKnown(db, hashOfProvedNetwork(userId, ip), userId, now);
}

async function isKnown(db: Database, network: Buffer, userId: string | undefined, now: Date): Promise<boolean> {
  const { rowCount } = await db.query({
    name: "known network",
    text: "select from auth.known_devices where user_id = $1 and kind = 'network' and value_hash = $2 and seen_at > $3",
    values: [userId ?? null, network, knownSince("network", now)],
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

export function hashesOfClient(userId: string, { ip, userAgent }: Client): Record<Kind, Buffer> {
  return { network: hashOfValue(userId, networkOf(ip)), device: hashOfValue(userId, deviceNameOf(userAgent)) };
}

export function hashOfProvedNetwork(userId: string, ip: string): Buffer {
  return hashOfValue(userId, `${networkOf(ip)} with the second factor`);
}

/** With the user id: equal hashes would show that two accounts use the same network or device. */
function hashOfValue(userId: string | undefined, value: string): Buffer {
  return hashOf(`${userId} at ${value}`);
}

export function knownSince(kind: Kind, now: Date): Date {
  return addSeconds(now, -deviceRetentionSeconds[kind]);
}
