import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { advisoryLocks } from "#server/database/advisory-locks";
import { inTransaction } from "#server/database/transaction";
import { addJob } from "./queue.ts";
import type { JobHandler } from "./worker.ts";

export interface ContactRetentionOptions {
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
 * The handler of the daily removal of contacts (docs/operating.md#retention-of-contacts). It is a job, so several servers
 * together do it once a day, and so does a server that restarts every hour. It adds the job of the next day in the
 * transaction that ends this one. A failure is only logged: as a failed job, admins would see it among failed mails.
 */
export function contactRetention({ owner, log, contactMonths, spamDays }: ContactRetentionOptions) {
  return {
    async [task](_payload, attempt) {
      const hasFailed = await removeAll().then(
        () => false,
        (error: Error) => {
          log.warn(`Removing expired contacts failed and will be tried again in an hour: ${error.message}`);
          return true;
        },
      );
      await inTransaction(owner, async (db) => {
        await attempt.finish(db);
        await addRemoval(db, hasFailed ? hourSeconds : daySeconds);
      });
    },
  } satisfies Record<string, JobHandler>;

  /** Each call removes a bounded number of contacts in a transaction of its own. */
  async function removeAll() {
    const call = "select private.remove_expired_contacts($1, $2)::integer as removed";
    let total = 0;
    for (let removed = -1; removed !== 0; total += removed) {
      const { rows } = await owner.query<{ removed: number }>(call, [contactMonths, spamDays]);
      removed = rows[0]?.removed ?? 0;
    }
    if (total > 0) log.info(`Removed ${total} contacts that were older than CONTACT_MONTHS or SPAM_DAYS.`);
    // Keeps the chart of the inbox fast (docs/decisions/search-in-one-function.md#the-chart).
    await owner.query("select private.close_contact_days()");
  }
}

/**
 * Adds the job unless the database has one. The first removal is a day later, so that an operator who updates to this
 * version has the time to change the settings.
 */
export async function scheduleContactRetention(owner: Pool) {
  await inTransaction(owner, async (db) => {
    await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.contactRetention]);
    const { rowCount } = await db.query("select from private.jobs where task = $1", [task]);
    if (rowCount === 0) await addRemoval(db, daySeconds);
  });
}

/** The job waits behind all mails. A server that is killed in the middle uses up an attempt, so there are many. */
async function addRemoval(db: ClientBase, delaySeconds: number) {
  await addJob(db, task, {}, { attempts: 10_000, priority: 100, delaySeconds });
}
