import type { ClientBase } from "pg";
import { networkOf } from "#server/http/ip-address";
import { queueAccountMail } from "../account-mail/queue-account-mail.ts";
import { hashOf } from "../tokens/secrets.ts";
import type { User } from "../users.ts";
import { deviceNameOf } from "./device-name.ts";

/** The network address and browser of a request. */
export interface Client {
  ip: string;
  userAgent: string | undefined;
}

/** How long a network or device stays known after the last sign-in from it. */
export const deviceRetentionSeconds = { network: 60 * 24 * 60 * 60, device: 180 * 24 * 60 * 60 };

type Kind = keyof typeof deviceRetentionSeconds;

/**
 * Whether the account signed in from the network of `ip` within the time of `deviceRetentionSeconds`. Without a user id
 * the query matches nothing but costs the same, so timing does not reveal accounts.
 */
export function isKnownNetwork(db: ClientBase, userId: string | undefined, ip: string, now: Date): Promise<boolean> {
  return isKnown(db, userId, "network", networkOf(ip), now);
}

/**
 * Mails the owner when an account signs in with a browser and system from which it has not signed in for 180 days. Call
 * it before `rememberDevice`, which makes the device known. The first sign-in, a browser's new version and a new
 * network cause no mail, because people ignore frequent mails. So an intruder with the owner's browser and system goes
 * unnoticed.
 */
export async function alertAboutNewDevice(db: ClientBase, user: User, client: Client, now: Date) {
  const device = deviceNameOf(client.userAgent);
  if (!(await hasKnownDevice(db, user.id, now))) return;
  if (await isKnown(db, user.id, "device", device, now)) return;

  const facts = [
    ["Device", device],
    ["Internet address", client.ip],
    ["Time", `${now.toISOString().slice(0, 16).replace("T", " ")} UTC`],
  ] as const;
  await queueAccountMail(db, { kind: "new-device", email: user.email, facts, redirectTo: "", requestedAt: now });
}

/** Makes the network and the device of a sign-in known. */
export async function rememberDevice(db: ClientBase, userId: string, { ip, userAgent }: Client, now: Date) {
  const values = { network: networkOf(ip), device: deviceNameOf(userAgent) };
  for (const kind of ["network", "device"] as const) {
    await db.query(
      `insert into auth.known_devices (user_id, kind, value_hash, seen_at) values ($1, $2, $3, $4)
       on conflict (user_id, kind, value_hash) do update set seen_at = excluded.seen_at`,
      [userId, kind, hashOfValue(userId, values[kind]), now],
    );
  }
}

async function isKnown(
  db: ClientBase,
  userId: string | undefined,
  kind: Kind,
  value: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from auth.known_devices where user_id = $1 and kind = $2 and value_hash = $3 and seen_at > $4",
    [userId ?? null, kind, hashOfValue(userId, value), knownSince(kind, now)],
  );
  return rowCount === 1;
}

async function hasKnownDevice(db: ClientBase, userId: string, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>(
    `select exists (select from auth.known_devices where user_id = $1 and kind = 'device' and seen_at > $2) as any`,
    [userId, knownSince("device", now)],
  );
  return rows[0]?.any ?? false;
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
