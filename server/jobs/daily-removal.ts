import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#server/database/advisory-locks";
import { inTransaction } from "#server/database/transaction";
import { addJob } from "./queue.ts";
import type { JobHandler } from "./worker.ts";

/** Rows of a table that have expired. */
export interface Removal {
  /** In the words of the log. */
  what: string;
  table: string;
  /** The condition, by PostgreSQL's clock: a server whose own clock is wrong must remove nothing. */
  where: string;
  rowsMax?: number;
}

export interface DailyRemovalOptions {
  owner: Pool;
  log: Pick<BaseLogger, "info" | "warn">;
  /** How long contacts, and spam, are stored; 0 means for ever. */
  contactMonths: number;
  spamDays: number;
  /** What else is removed. */
  expired: readonly Removal[];
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
    const what = "contacts that were older than CONTACT_MONTHS or SPAM_DAYS";
    await removeUntilNone(what, contacts, contactMonths, spamDays);
    for (const removal of [...alwaysExpired, ...expired]) await removeUntilNone(removal.what, statementOf(removal));
  }

  /** Each statement removes a bounded number of rows in a transaction of its own. */
  async function removeUntilNone(what: string, statement: string, ...values: number[]) {
    let total = 0;
    for (let removed = -1; removed !== 0; total += removed) {
      const { rows } = await owner.query<{ removed: number }>(statement, values);
      removed = rows[0]?.removed ?? 0;
    }
    if (total > 0) log.info(`Removed ${total} ${what}.`);
  }
}

/** Skips rows that another transaction has locked, so there is no deadlock. */
function statementOf({ table, where, rowsMax = 5000 }: Removal): string {
  return `
    with removed as (
      delete from ${table} where ctid = any (array(
        select ctid from ${table} where ${where} limit ${rowsMax} for update skip locked))
      returning 1)
    select count(*)::integer as removed from removed`;
}

const alwaysExpired: readonly Removal[] = [
  {
    // An operator has invited the person or given the account a role: the operator removes such an account.
    what: "accounts whose address was not confirmed",
    table: "auth.users",
    where: `email_confirmed_at is null and greatest(created_at, confirmation_sent_at) < now() - interval '30 days'
      and invited_at is null and not exists (select from public.user_roles r where r.user_id = users.id)`,
    rowsMax: 1000,
  },
  {
    what: "jobs that had given up",
    table: "private.jobs",
    where: `attempts >= attempts_max and coalesce(leased_until <= now(), true) and created_at < now() - interval '30 days'`,
  },
  {
    what: "counts of visits from three years ago",
    table: "private.visits",
    where: "day < now() - interval '3 years'",
  },
  {
    what: "networks of contacts",
    table: "private.contact_senders",
    where: "stored_at < now() - interval '1 hour'",
  },
];

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
