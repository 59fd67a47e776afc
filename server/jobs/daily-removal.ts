import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#backend/database/advisory-locks";
import { clockJump } from "#backend/database/clock-jump";
import { inTransaction } from "#backend/database/transaction";
import { addJob } from "./queue.ts";
import type { JobHandler } from "./worker.ts";

/** The condition of the rows of each table that have expired, by PostgreSQL's clock. */
type Expired = Readonly<Record<string, string>>;

export interface DailyRemovalOptions {
  owner: Pool;
  log: Pick<BaseLogger, "info" | "warn">;
  /** How long contacts, and spam, are stored; 0 means for ever. */
  contactMonths: number;
  spamDays: number;
  /** What else is removed. */
  expired: Expired;
}

const task = "remove-expired-contacts";
const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/**
 * The handler of the daily removal of all rows whose time is over (docs/operating.md#retention-of-contacts). It is a job,
 * so several servers together do it once a day, and so does a server that restarts every hour. It adds the job of the next
 * day in the transaction that ends this one. A failure is only logged: as a failed job, admins would see it among failed
 * mails.
 */
export function dailyRemoval({ owner, log, contactMonths, spamDays, expired }: DailyRemovalOptions) {
  return {
    async [task](_payload, attempt) {
      const { rows } = await owner.query<{ jump: string }>(clockJump);
      if (rows[0]) {
        log.warn(`${rows[0].jump}, so nothing was removed. If the clock is right: npm run admin -- trust-clock`);
        // The job stays, because it holds the time of the last removal.
        return void (await owner.query(postponement, [attempt.job]));
      }
      const delaySeconds = await removeAll().then(
        () => daySeconds,
        (error: Error) => {
          log.warn(`Removing expired contacts failed and will be tried again in an hour: ${error.message}`);
          return hourSeconds;
        },
      );
      await inTransaction(owner, async (db) => {
        await attempt.finish(db);
        await addRemoval(db, delaySeconds);
      });
    },
  } satisfies Record<string, JobHandler>;

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

const alwaysExpired: Expired = {
  // An operator has invited the person or given the account a role: the operator removes such an account.
  "auth.users": `email_confirmed_at is null and greatest(created_at, confirmation_sent_at) < now() - interval '30 days'
    and invited_at is null and not exists (select from public.user_roles r where r.user_id = users.id)`,
  "private.jobs":
    "attempts >= attempts_max and coalesce(leased_until <= now(), true) and created_at < now() - interval '30 days'",
  "private.visits": "day < now() - interval '3 years'",
  "private.contact_senders": "stored_at not between now() - interval '1 hour' and now() + interval '1 minute'",
};

const postponement = `
  update private.jobs set run_at = now() + interval '1 day', attempts = 0, last_error = null, leased_by = null, leased_until = null
  where id = $1`;

/**
 * Adds the job unless the database has one. The first removal is a day later, so that an operator who updates to this
 * version has the time to change the settings.
 */
export async function scheduleDailyRemoval(owner: Pool) {
  await inTransaction(owner, async (db) => {
    await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.dailyRemoval]);
    const { rowCount } = await db.query("select from private.jobs where task = $1", [task]);
    if (rowCount === 0) await addRemoval(db, daySeconds);
  });
}

/** The job waits behind all mails. A server that is killed in the middle uses up an attempt, so there are many. */
async function addRemoval(db: ClientBase, delaySeconds: number) {
  await addJob(db, task, {}, { attempts: 10_000, priority: 100, delaySeconds });
}
