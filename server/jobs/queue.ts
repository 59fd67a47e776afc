import type { ClientBase, Pool } from "pg";
import { advisoryLocks } from "#backend/database/advisory-locks";
import { inTransaction } from "#backend/database/transaction";

// Only the files of this folder contain SQL about the table `private.jobs`.

const tenMinutes = 10 * 60;

/**
 * How many jobs of each lane a server runs at once, and how long an attempt may take. If one job hangs for 30 seconds,
 * the others still run, but there are too few to flood a mail server. The webhook is called once at a time, so a receiver
 * that hangs delays no mail. The handlers have shorter limits for each mail and call: a job that never ends would hold
 * its place in the lane until the server restarts.
 */
export const lanes = {
  announce: { atOnce: 1, secondsMax: tenMinutes },
  mail: { atOnce: 6, secondsMax: tenMinutes },
  webhook: { atOnce: 1, secondsMax: tenMinutes },
  backup: { atOnce: 1, secondsMax: 24 * 60 * 60 },
} as const;
export type Lane = keyof typeof lanes;

/**
 * How many times a job is attempted. After its nth failure a job waits for e^n seconds. From the tenth failure on it
 * waits for e^10 seconds, which is 6.1 hours. The first nine pauses together last 3.6 hours. 22 attempts have 21 pauses:
 * these nine and 12 of 6.1 hours, in all 3.2 days. 14 attempts have 13 pauses: these nine and four of 6.1 hours, in all
 * 1.2 days.
 */
export const attemptsFor = { threeDays: 22, oneDay: 14 };

export interface JobOptions {
  /** See `attemptsFor`. */
  attempts: number;
  lane?: Lane;
  /** A job of a lower number runs before all due jobs of a higher one; the default is 0. */
  priority?: number;
}

/** The jobs of this lane are never run: they wait until a digest counts them. */
export const digestLane = "digest";

type Database = Pick<Pool | ClientBase, "query">;

/**
 * Adds a job, which any server on this database may run. If `db` is inside a transaction, the job exists only after its
 * commit. Every backup of the database holds `payload`, so it must hold no secret.
 */
export async function addJob(
  db: Database,
  task: string,
  payload: object,
  { attempts, lane = "mail", priority = 0 }: JobOptions,
): Promise<void> {
  await db.query("insert into private.jobs (task, payload, attempts_max, lane, priority) values ($1, $2, $3, $4, $5)", [
    task,
    payload,
    attempts,
    lane,
    priority,
  ]);
}

/** The jobs that repeat themselves (`Attempt.repeat`). The database has each of them once. */
export const recurringJobs = { removal: "remove-expired-contacts", backup: "make-daily-backup" } as const;

/**
 * Adds a recurring job, due after `delaySeconds`, unless the database has it. With `moves`, a waiting one gets the new
 * time. A server that is killed in the middle uses up an attempt, so there are many.
 */
export async function scheduleRecurringJob(
  owner: Pool,
  task: string,
  {
    delaySeconds,
    lane,
    priority,
    moves = false,
  }: { delaySeconds: number; lane: Lane; priority: number; moves?: boolean },
) {
  await inTransaction(owner, async (db) => {
    await db.query("select pg_advisory_xact_lock($1)", [advisoryLocks.recurringJobs]);
    if (moves)
      await db.query("delete from private.jobs where task = $1 and coalesce(leased_until <= now(), true)", [task]);
    await db.query(
      `insert into private.jobs (task, payload, attempts_max, lane, priority, run_at)
       select $1, '{}', 10000, $2, $3, now() + make_interval(secs => $4)
       where not exists (select from private.jobs where task = $1)`,
      [task, lane, priority, delaySeconds],
    );
  });
}

/** The condition of jobs that are kept for admins to see and are not attempted any more. */
const gaveUp = "attempts >= attempts_max and coalesce(leased_until <= now(), true)";

/** What the daily removal removes of the queue. */
export const expiredJobs = `${gaveUp} and created_at < now() - interval '30 days'`;

/**
 * Jobs that have been due for more than five minutes: too many are waiting, or the running ones take too long. A job
 * that gave up is never due, and those that wait for a digest are in another lane.
 */
export const delayedJobs = `
  from private.jobs
  where lane in ('announce', 'mail', 'webhook') and run_at < now() - interval '5 minutes'
    and attempts < attempts_max and coalesce(leased_until <= now(), true)`;

/** How many jobs have failed or given up. */
export async function countFailingJobs(db: Database): Promise<number> {
  const sql = `select count(*)::int as jobs from private.jobs where last_error is not null or ${gaveUp}`;
  return (await db.query(sql)).rows[0].jobs;
}

/** False for the database of a hosted project, and an empty one. */
export async function hasQueue(db: Database): Promise<boolean> {
  return (await db.query("select to_regclass('private.jobs') is not null as found")).rows[0].found;
}

/** Until the end of the transaction every worker waits with its next statement, which comes within a second. */
export async function lockQueue(db: ClientBase) {
  await db.query("lock table private.jobs in share mode");
}

/** Whether a worker waits for `lockQueue`: then a server is running. */
export async function isWorkerWaiting(db: ClientBase): Promise<boolean> {
  const { rowCount } = await db.query(
    `select from pg_locks where relation = 'private.jobs'::regclass and mode = 'RowExclusiveLock' and not granted
       and database = (select oid from pg_database where datname = current_database())`,
  );
  return rowCount !== 0;
}

/**
 * After a restore: removes the recurring jobs, which the next start adds anew (the age of the backup would look like a
 * jump of the clock), and returns the number of the others. With `holds`, leaves these as if they had given up within the
 * last hour, so that the inbox shows them and sends them on request.
 */
export async function prepareRestoredJobs(db: Database, { holds }: { holds: boolean }): Promise<number> {
  const isMadeAnew = [...Object.values(recurringJobs), ...(holds ? ["collect-digest"] : [])];
  await db.query("delete from private.jobs where task = any($1)", [isMadeAnew]);
  if (holds)
    // Rows in the lane of the digest would keep the next digest back.
    await db.query(
      `update private.jobs set attempts = attempts_max, leased_by = null, leased_until = null,
         created_at = greatest(created_at, now() - interval '1 hour'),
         lane = case lane when '${digestLane}' then 'announce' else lane end,
         last_error = 'Held by the restore of a backup: its server may have sent it since.'`,
    );
  return (await db.query("select count(*)::int as jobs from private.jobs")).rows[0].jobs;
}

/** The jobs about a contact, and mails to an address; these are in lists of `$1`, which is JSON. */
export function jobsAbout(contactIds: string, addresses: string) {
  const isIn = (list: string, field: string) => `coalesce($1::jsonb -> '${list}' ? (payload ->> '${field}'), false)`;
  const where = `(${isIn(contactIds, "contact_id")} or ${isIn(addresses, "email")} or ${isIn(addresses, "to")})`;
  return { table: "private.jobs", where };
}

export async function removeJobsAboutContacts(db: Database, contactIds: readonly string[]) {
  await db.query("delete from private.jobs where payload ->> 'contact_id' = any ($1)", [contactIds]);
}
