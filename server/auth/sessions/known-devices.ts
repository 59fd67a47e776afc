import type { ClientBase, Pool } from "pg";
import { networkOf } from "#server/http/ip-address";
import { queueAccountMail } from "../account-mail/queue-account-mail.ts";
import { hashOf } from "../tokens/secrets.ts";
import { hasSecondFactor, type User } from "../users.ts";
import { deviceNameOf } from "./device-name.ts";

/** The IP address and browser of a request. */
export interface Client {
  ip: string;
  userAgent: string | undefined;
}

/** How long a network or device stays known after the last sign-in from it. */
export const deviceRetentionSeconds = { network: 60 * 24 * 60 * 60, device: 180 * 24 * 60 * 60 };

type Database = Pick<Pool | ClientBase, "query">;
type Kind = keyof typeof deviceRetentionSeconds;

/**
 * Whether the account signed in from the network of `ip` within the time of `deviceRetentionSeconds`. Without a user id
 * the query matches nothing but costs the same, so timing does not reveal accounts.
 */
export function isKnownNetwork(db: Database, userId: string | undefined, ip: string, now: Date): Promise<boolean> {
  return isKnown(db, hashOfValue(userId, networkOf(ip)), userId, now);
}

/** Like `isKnownNetwork`, but the account must have used its second factor there: a stolen password is not enough. */
export function isProvedNetwork(db: Database, userId: string, ip: string, now: Date): Promise<boolean> {
  return isKnown(db, hashOfProvedNetwork(userId, ip), userId, now);
}

async function isKnown(db: Database, network: Buffer, userId: string | undefined, now: Date): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from auth.known_devices where user_id = $1 and kind = 'network' and value_hash = $2 and seen_at > $3",
    [userId ?? null, network, knownSince("network", now)],
  );
  return rowCount === 1;
}

/** What a sign-in proved, in the words of the mail. */
const ways = { password: "the password", link: "a link from an email", code: "a code from an email" } as const;

/**
 * Mails the owner when an account signs in with a browser and system from which it has not signed in for 180 days. Call
 * it before `openSession`, which makes the device known. The first sign-in, a browser's new version and a new
 * network cause no mail, because people ignore frequent mails. So an intruder with the owner's browser and system goes
 * unnoticed.
 */
export async function alertAboutNewDevice(
  db: ClientBase,
  user: User,
  client: Client,
  { way, now }: { way: keyof typeof ways; now: Date },
) {
  const device = deviceNameOf(client.userAgent);
  const { rows } = await db.query<{ is_new: boolean | null }>(
    `select not bool_or(value_hash = $2) as is_new from auth.known_devices
     where user_id = $1 and kind = 'device' and seen_at > $3`,
    [user.id, hashOfValue(user.id, device), knownSince("device", now)],
  );
  // Without any known device, PostgreSQL returns null.
  if (!rows[0]?.is_new) return;

  const facts = [
    ["Logged in with", ways[way]] as const,
    // The mail is sent at the sign-in, so it cannot tell whether the second factor was given.
    ...(hasSecondFactor(user) ? [["Two-step login", "not completed when we sent this email"] as const] : []),
    ...factsOfClient(client, now),
  ];
  await queueAccountMail(db, { kind: "new-device", email: user.email, facts, redirectTo: "", requestedAt: now });
}

/** What a mail tells its reader about where and when something happened. */
export function factsOfClient({ ip, userAgent }: Client, now: Date) {
  return [
    ["Device", deviceNameOf(userAgent)],
    ["IP address", ip],
    ["Time", `${now.toISOString().slice(0, 16).replace("T", " ")} UTC`],
  ] as const;
}

/** The hashes by which the network and the device of a sign-in become known. */
export function hashesOfClient(userId: string, { ip, userAgent }: Client): Record<Kind, Buffer> {
  return { network: hashOfValue(userId, networkOf(ip)), device: hashOfValue(userId, deviceNameOf(userAgent)) };
}

/** The hash by which the network becomes known as one where the second factor was used. */
export function hashOfProvedNetwork(userId: string, ip: string): Buffer {
  return hashOfValue(userId, `${networkOf(ip)} with the second factor`);
}

/**
 * The hash includes the user id: otherwise equal hashes would show that two accounts use the same network or device.
 */
function hashOfValue(userId: string | undefined, value: string): Buffer {
  return hashOf(`${userId} at ${value}`);
}

function knownSince(kind: Kind, now: Date): Date {
  return new Date(now.getTime() - deviceRetentionSeconds[kind] * 1000);
}
