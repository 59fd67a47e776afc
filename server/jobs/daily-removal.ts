import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#server/database/advisory-locks";
import { inTransaction } from "#server/database/transaction";
import { addJob } from "./queue.ts";
import type { JobHandler } from "./worker.ts";

export interface DailyRemovalOptions {
  owner: Pool;
  log: Pick<BaseLogger, "info" | "warn">;
  /** How long contacts, and spam, are stored; 0 means for ever. */
  contactMonths: number;
  spamDays: number;
}

const task = "remove-expired-contacts";
const hourSeconds = 60 * 60;
const daySeconds = 24 * hourSeconds;

/**
 * The handler of the daily removal of contacts, and of what strangers add to three other tables
 * (docs/operating.md#retention-of-contacts). It is a job, so several servers together do it once a day, and so does a server
 * that restarts every hour. It adds the job of the next day in the transaction that ends this one. A failure is only logged:
 * as a failed job, admins would see it among failed mails.
 */
export function dailyRemoval({ owner, log, contactMonths, spamDays }: DailyRemovalOptions) {
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
    await removeUntilNone("accounts whose address was not confirmed", unconfirmedAccounts);
    await removeUntilNone("jobs that had given up", givenUpJobs);
    await removeUntilNone("counts of visits from three years ago", oldVisits);
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

/** An operator has invited the person or given the account a role: the operator removes such an account. */
const unconfirmedAccounts = `
  with removed as (
    delete from auth.users where id = any (array(
      select id from auth.users u
      where email_confirmed_at is null and greatest(created_at, confirmation_sent_at) < now() - interval '30 days'
        and invited_at is null and not exists (select from public.user_roles r where r.user_id = u.id)
      limit 1000 for update skip locked))
    returning 1)
  select count(*)::integer as removed from removed`;

const givenUpJobs = `
  with removed as (
    delete from private.jobs where id = any (array(
      select id from private.jobs
      where attempts >= attempts_max and coalesce(leased_until <= now(), true) and created_at < now() - interval '30 days'
      limit 5000 for update skip locked))
    returning 1)
  select count(*)::integer as removed from removed`;

const oldVisits = `
  with removed as (
    delete from private.visits where ctid = any (array(
      select ctid from private.visits where day < now() - interval '3 years' limit 5000))
    returning 1)
  select count(*)::integer as removed from removed`;

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
