import type { ClientBase } from "pg";
import { advisoryLocks } from "#server/database/advisory-locks";
import type { AuthContext } from "../auth-context.ts";
import { refusals } from "../refusals.ts";
import { hashOf } from "../tokens/secrets.ts";

/** Between two mails to one address (protocol section 3). */
const waitSeconds = 60;

/** How long an address is remembered at all, and a mail counted. */
export const keptSeconds = 60 * 60;

/**
 * Takes the right to mail to `address` now, or returns how many seconds are missing; throws when the whole site has asked
 * for as many mails as it may within an hour. Both count what was asked, not what was sent: an address without an account
 * waits and counts like one with, and neither tells anything. The row stays locked until the transaction ends, so of two
 * requests at once one waits for the other.
 */
export async function takeMailQuota(
  db: ClientBase,
  { limits, mailsPerHourMax }: Pick<AuthContext, "limits" | "mailsPerHourMax">,
  address: string,
  now: Date,
): Promise<{ missingSeconds: number }> {
  // First of all, for whoever asks: after the wait, an address that was asked for just now would escape the limit.
  if (limits && (await countMails(db, now)) >= mailsPerHourMax) throw refusals.tooManyMails();

  await forgetOld(db, now);
  const hash = hashOf(address);
  const { rowCount } = await db.query(
    `insert into auth.mail_cooldowns as mark (address_hash, asked_at) values ($1, $2)
     on conflict (address_hash) do update set asked_at = excluded.asked_at where mark.asked_at <= $3`,
    [hash, now, secondsBefore(now, waitSeconds)],
  );
  if (rowCount) {
    await db.query("insert into auth.mail_requests (asked_at) values ($1)", [now]);
    return { missingSeconds: 0 };
  }

  const { rows } = await db.query<{ asked_at: Date }>(
    "select asked_at from auth.mail_cooldowns where address_hash = $1",
    [hash],
  );
  const waited = (now.getTime() - (rows[0]?.asked_at ?? now).getTime()) / 1000;
  return { missingSeconds: Math.max(1, Math.ceil(waitSeconds - waited)) };
}

/** The same for whoever must not go on without it. */
export async function requireMailQuota(
  db: ClientBase,
  parts: Pick<AuthContext, "limits" | "mailsPerHourMax">,
  address: string,
  now: Date,
) {
  const { missingSeconds } = await takeMailQuota(db, parts, address, now);
  if (missingSeconds > 0) throw refusals.mailCooldown(missingSeconds);
}

/** Those of the last hour. One request at a time, on whichever server: two at once would both see the last free place. */
async function countMails(db: ClientBase, now: Date): Promise<number> {
  await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.accountMails]);
  await db.query("delete from auth.mail_requests where asked_at <= $1", [secondsBefore(now, keptSeconds)]);
  const { rows } = await db.query<{ count: number }>("select count(*)::int as count from auth.mail_requests");
  return rows[0]?.count ?? 0;
}

/** A few at each turn. Rows that another turn holds are left to it, so that no two wait for each other. */
async function forgetOld(db: ClientBase, now: Date) {
  await db.query(
    `delete from auth.mail_cooldowns where address_hash in (
       select address_hash from auth.mail_cooldowns where asked_at < $1 limit 10 for update skip locked)`,
    [secondsBefore(now, keptSeconds)],
  );
}

function secondsBefore(now: Date, seconds: number): Date {
  return new Date(now.getTime() - seconds * 1000);
}
