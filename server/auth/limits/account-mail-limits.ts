import type { ClientBase } from "pg";
import { advisoryLocks } from "#server/database/advisory-locks";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { hashOf } from "../tokens/secrets.ts";
import type { RateLimit } from "./rate-limiter.ts";

/** The least time between two mails to one address (docs/protocol.md#mail-limits). */
const cooldownSeconds = 60;

/**
 * Limits recovery mails per address. Each mail invalidates the previous link, so a stranger who requests a mail every
 * minute would leave the owner only a minute to use each link.
 */
export const recoveryMailLimit: RateLimit = { burst: 5, secondsPerToken: 15 * 60 };

/** How long a request counts toward the site's quota, and how long the hash of its address is stored. */
export const mailRetentionSeconds = 60 * 60;

/**
 * Checks the cooldown of an address and the hourly quota of the whole site. Returns 0 if a mail to `address` may be
 * sent now, else the seconds of the cooldown that remain; throws when the quota is used up. Both limits count requests,
 * not mails sent: an address without an account is treated like one with an account, so neither limit reveals accounts.
 * The row of the address stays locked until the transaction ends, so two concurrent requests cannot both pass.
 */
export async function takeMailQuota(
  db: ClientBase,
  { limits, mailsPerHourMax }: Pick<AuthContext, "limits" | "mailsPerHourMax">,
  address: string,
  now: Date,
): Promise<number> {
  // Check the quota before the cooldown: otherwise an address in its cooldown would get 200 where every other address
  // gets 429.
  if (limits && (await countMailRequests(db, now)) >= mailsPerHourMax) throw refusals.tooManyMails();

  await removeExpiredCooldowns(db, now);
  const hash = hashOf(address);
  const { rowCount } = await db.query(
    `insert into auth.mail_cooldowns as cooldown (address_hash, asked_at) values ($1, $2)
     on conflict (address_hash) do update set asked_at = excluded.asked_at where cooldown.asked_at <= $3`,
    [hash, now, secondsBefore(now, cooldownSeconds)],
  );
  if (rowCount) {
    await db.query("insert into auth.mail_requests (asked_at) values ($1)", [now]);
    return 0;
  }

  const { rows } = await db.query<{ asked_at: Date }>(
    "select asked_at from auth.mail_cooldowns where address_hash = $1",
    [hash],
  );
  const elapsedSeconds = (now.getTime() - (rows[0]?.asked_at ?? now).getTime()) / 1000;
  return Math.max(1, Math.ceil(cooldownSeconds - elapsedSeconds));
}

/** Like `takeMailQuota`, but throws 429 during the cooldown. */
export async function requireMailQuota(
  db: ClientBase,
  context: Pick<AuthContext, "limits" | "mailsPerHourMax">,
  address: string,
  now: Date,
) {
  const retryAfterSeconds = await takeMailQuota(db, context, address, now);
  if (retryAfterSeconds > 0) throw refusals.mailCooldown(retryAfterSeconds);
}

/**
 * Counts the requests of the last hour under a lock that all servers share: otherwise two concurrent requests could
 * both take the last mail of the quota.
 */
async function countMailRequests(db: ClientBase, now: Date): Promise<number> {
  await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.accountMails]);
  await db.query("delete from auth.mail_requests where asked_at <= $1", [secondsBefore(now, mailRetentionSeconds)]);
  const { rows } = await db.query<{ count: number }>("select count(*)::int as count from auth.mail_requests");
  return rows[0]?.count ?? 0;
}

/**
 * Removes a few expired rows per request. It skips rows that another transaction has locked, so there is no deadlock.
 */
async function removeExpiredCooldowns(db: ClientBase, now: Date) {
  await db.query(
    `delete from auth.mail_cooldowns where address_hash in (
       select address_hash from auth.mail_cooldowns where asked_at < $1 limit 10 for update skip locked)`,
    [secondsBefore(now, mailRetentionSeconds)],
  );
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}
