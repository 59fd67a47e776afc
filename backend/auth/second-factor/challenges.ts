import type { ClientBase } from "pg";
import type { Rows } from "#backend/database/rows";
import type { Database } from "#backend/database/transaction";
import { refusals } from "../refusals.ts";
import type { Factor } from "./factors.ts";

export const challengeSeconds = 300;

/** Returns the id and when it expires, in seconds since 1970. A challenge works only from where it was asked for. */
export async function addChallenge(db: ClientBase, factor: Factor, ip: string) {
  const { rows } = await db.query<{ id: string; expires_at: number }>(
    `with factor as (update auth.mfa_factors set last_challenged_at = now() where id = $1 returning id)
     insert into auth.mfa_challenges (factor_id, created_at, ip_address) select id, now(), $2 from factor
     returning id, floor(extract(epoch from created_at))::integer + ${challengeSeconds} as expires_at`,
    [factor.id, ip],
  );
  const [challenge] = rows;
  if (!challenge) throw refusals.noSuchFactor();
  return challenge;
}

export async function requireOpenChallenge(db: Database, id: string, factor: Factor, ip: string) {
  const { rows } = await db.query<
    Pick<Rows["auth.mfa_challenges"], "verified_at" | "ip_address"> & { expired: boolean }
  >(
    `select verified_at, ip_address, created_at < now() - interval '${challengeSeconds} seconds' as expired
     from auth.mfa_challenges where id = $1 and factor_id = $2`,
    [id, factor.id],
  );
  const [challenge] = rows;
  if (!challenge) throw refusals.noSuchChallenge();
  if (challenge.verified_at || challenge.ip_address !== ip) throw refusals.challengeElsewhere();
  if (challenge.expired) throw refusals.challengeExpired(id);
}

/** Uses up a challenge. Throws if another request has used it meanwhile. */
export async function spendChallenge(db: ClientBase, id: string) {
  const { rowCount } = await db.query(
    "update auth.mfa_challenges set verified_at = now() where id = $1 and verified_at is null",
    [id],
  );
  if (!rowCount) throw refusals.challengeElsewhere();
}
