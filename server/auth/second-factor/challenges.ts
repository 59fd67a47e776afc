import type { ClientBase, Pool } from "pg";
import { addSeconds } from "../add-seconds.ts";
import { refusals } from "../refusals.ts";
import type { Factor } from "./factors.ts";

export const challengeSeconds = 300;

interface Challenge {
  id: string;
  factor: Factor;
  /** The internet address of the request. A challenge works only from where it was asked for. */
  ip: string;
}

/** Adds a challenge, and returns its id and when it expires, in seconds since 1970. */
export async function addChallenge(db: ClientBase, { factor, ip }: Omit<Challenge, "id">, now: Date) {
  const { rows } = await db.query<{ id: string }>(
    `with factor as (update auth.mfa_factors set last_challenged_at = $2 where id = $1 returning id)
     insert into auth.mfa_challenges (factor_id, created_at, ip_address) select id, $2, $3 from factor returning id`,
    [factor.id, now, ip],
  );
  const [challenge] = rows;
  if (!challenge) throw refusals.noSuchFactor();
  return { id: challenge.id, expires_at: Math.floor(now.getTime() / 1000) + challengeSeconds };
}

/** Refuses a challenge that is unknown, used, of another address or too old. */
export async function requireOpenChallenge(db: Pick<Pool, "query">, { id, factor, ip }: Challenge, now: Date) {
  const { rows } = await db.query<{ created_at: Date; verified_at: Date | null; ip_address: string }>(
    "select created_at, verified_at, ip_address from auth.mfa_challenges where id = $1 and factor_id = $2",
    [id, factor.id],
  );
  const [challenge] = rows;
  if (!challenge) throw refusals.noSuchChallenge();
  if (challenge.verified_at || challenge.ip_address !== ip) throw refusals.challengeElsewhere();
  if (challenge.created_at < addSeconds(now, -challengeSeconds)) throw refusals.challengeExpired(id);
}

/** Uses up a challenge. Throws if another request has used it meanwhile. */
export async function spendChallenge(db: ClientBase, id: string, now: Date) {
  const { rowCount } = await db.query(
    "update auth.mfa_challenges set verified_at = $2 where id = $1 and verified_at is null",
    [id, now],
  );
  if (!rowCount) throw refusals.challengeElsewhere();
}
