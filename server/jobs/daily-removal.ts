import type { Pool } from "pg";
import type { BaseLogger } from "pino";
import { expiredJobs, recurringJobs, scheduleRecurringJob } from "./queue.ts";
import type { Attempt, RecurringJob } from "./worker.ts";

export interface DailyRemovalOptions {
  owner: Pool;
  log: Pick<BaseLogger, "info" | "warn">;
  /** How long contacts, and spam, are stored; 0 means for ever. Deleted contacts stay for 30 days at most. */
  contactMonths: number;
  spamDays: number;
  /** The condition of the expired rows of each further table, by PostgreSQL's clock. */
  expired: Readonly<Record<string, string>>;
}

const task = recurringJobs.removal;
const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/**
 * The daily removal of all rows whose time is over (docs/operating.md#retention-of-contacts). It is a job, so several
 * servers together do it once a day, and so does a server that restarts every hour. A failure is only logged: as a failed
 * job, admins would see it among failed mails.
 *
 * The first removal is a day after the start that added the job, so that an operator who updates to this version has the
 * time to change the settings. It waits behind all mails.
 */
export function dailyRemoval({ owner, log, contactMonths, spamDays, expired }: DailyRemovalOptions): RecurringJob {
  return {
    tasks: { [task]: remove },
    schedule: () => scheduleRecurringJob(owner, task, { delaySeconds: daySeconds, lane: "mail", priority: 100 }),
  };

  async function remove(_payload: unknown, attempt: Attempt) {
    const jump = await findClockJump(owner).catch((error: Error) => error);
    if (jump instanceof Error) {
      warnOf(jump);
      return attempt.repeat(hourSeconds, { isSkipped: true });
    }
    if (jump) {
      log.warn(`${jump}, so nothing was removed. If the clock is right: npm run admin -- trust-clock`);
      // The job keeps the time of the last removal.
      return attempt.repeat(daySeconds, { isSkipped: true });
    }
    const delaySeconds = await removeAll().then(
      () => daySeconds,
      (error: Error) => {
        warnOf(error);
        return hourSeconds;
      },
    );
    await attempt.repeat(delaySeconds);
  }

  function warnOf({ message }: Error) {
    log.warn(`Removing expired contacts failed and will be tried again in an hour: ${message}`);
  }

  async function removeAll() {
    const contacts = "select private.remove_expired_contacts($1, $2)::integer as removed";
    await removeUntilNone("public.contacts", contacts, contactMonths, spamDays);
    for (const [table, where] of Object.entries({ ...alwaysExpired, ...expired }))
      await removeUntilNone(table, removalOf(table, where));
  }

  /** Each statement removes a bounded number of rows in a transaction of its own. */
  async function removeUntilNone(table: string, statement: string, ...values: number[]) {
    let total = 0;
    for (let removed = -1; removed !== 0; total += removed) {
      const { rows, rowCount } = await owner.query<{ removed: number }>(statement, values);
      removed = rows[0]?.removed ?? rowCount ?? 0;
    }
    if (total > 0) log.info(`Removed ${total} expired rows of ${table}.`);
  }
}

/** Rows that another transaction has locked are left for the next day. */
function removalOf(table: string, where: string): string {
  // A few thousand tokens may be deleted with each session.
  const rowsMax = table === "auth.sessions" ? 50 : 5000;
  return `delete from ${table} where ctid = any (array(
    select ctid from ${table} where ${where} limit ${rowsMax} for update skip locked))`;
}

const alwaysExpired = {
  // An operator has invited the person or given the account a role: the operator removes such an account.
  "auth.users": `email_confirmed_at is null and greatest(created_at, confirmation_sent_at) < now() - interval '30 days'
    and invited_at is null and not exists (select from public.user_roles r where r.user_id = users.id)`,
  "private.jobs": expiredJobs,
  "private.visits": "day < now() - interval '3 years'",
  "private.contact_senders": "stored_at not between now() - interval '1 hour' and now() + interval '1 minute'",
};

/**
 * Tells in a sentence that PostgreSQL's clock may have jumped: the job of the daily removal was added when the removal
 * before had ended. A clock two years ahead would remove all contacts. Their own times prove nothing: a quiet site gets
 * one a year.
 */
export async function findClockJump(db: Pick<Pool, "query">): Promise<string | undefined> {
  const { rows } = await db.query<{ jump: string }>(
    `select format('The daily removal last ran on %s, and the clock of the database says %s', created_at::date, now()::date)
       as jump
     from private.jobs where task = $1 and created_at < now() - interval '14 days'`,
    [task],
  );
  return rows[0]?.jump;
}
