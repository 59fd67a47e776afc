import type { ClientBase } from "pg";
import { hashOf } from "../tokens/secrets.ts";

/** How long a place stays familiar after the last sign-in there. */
export const keptSeconds = { network: 60 * 24 * 60 * 60, device: 180 * 24 * 60 * 60 };

type Kind = keyof typeof keptSeconds;

/** Whether `userId` signed in there lately. Nobody is familiar with anything, which takes PostgreSQL as long to say. */
export async function isKnown(
  db: ClientBase,
  userId: string | undefined,
  kind: Kind,
  place: string,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await db.query(
    "select from auth.known_devices where user_id = $1 and kind = $2 and value_hash = $3 and seen_at > $4",
    [userId ?? null, kind, hashOfPlace(userId, place), oldest(kind, now)],
  );
  return rowCount === 1;
}

/** Whether `userId` signed in with anything yet, lately. */
export async function hasKnown(db: ClientBase, userId: string, kind: Kind, now: Date): Promise<boolean> {
  const { rows } = await db.query<{ any: boolean }>(
    `select exists (select from auth.known_devices where user_id = $1 and kind = $2 and seen_at > $3) as any`,
    [userId, kind, oldest(kind, now)],
  );
  return rows[0]?.any ?? false;
}

/** At each sign-in. */
export async function rememberDevice(db: ClientBase, userId: string, places: Record<Kind, string>, now: Date) {
  for (const kind of ["network", "device"] as const) {
    await db.query(
      `insert into auth.known_devices (user_id, kind, value_hash, seen_at) values ($1, $2, $3, $4)
       on conflict (user_id, kind, value_hash) do update set seen_at = excluded.seen_at`,
      [userId, kind, hashOfPlace(userId, places[kind]), now],
    );
  }
}

/** With the account in it, so that the same place is not the same hash for two people. */
function hashOfPlace(userId: string | undefined, place: string): Buffer {
  return hashOf(`${userId} at ${place}`);
}

function oldest(kind: Kind, now: Date): Date {
  return new Date(now.getTime() - keptSeconds[kind] * 1000);
}
