import { randomUUID } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { explain } from "#backend/database/errors";
import { repeatable } from "#backend/database/reconnect";
import type { Rows } from "#server/rows";
import { type Lane, lanes, recurringJobs } from "./queue.ts";

/** How often a worker looks for jobs that another server added, and for jobs whose next attempt is due. */
const pollMilliseconds = 1000;

/** A rush of contacts wakes the worker with each of them. Twenty looks a second leave PostgreSQL to the visitors. */
const restMilliseconds = 50;

/** Longer than a statement that waits for a connection and then for its answer. */
const silenceMillisecondsMax = 30_000;

/** How long a stop waits for the running jobs. The whole stop of the server has 10 seconds. */
const stopSecondsMax = 4;

/** Does the work of a job. If it rejects, admins read the reason, and the job is attempted again later. */
export type JobHandler = (payload: unknown, attempt: Attempt) => Promise<void>;

/** A job of which the database always holds one (`scheduleRecurringJob`), which repeats itself. */
export interface RecurringJob {
  tasks: Readonly<Record<string, JobHandler>>;
  /** Adds the job unless the database has it. */
  schedule(): Promise<void>;
}

export interface Attempt {
  /**
   * Removes the job inside a transaction of the handler. So the handler's work and the removal of the job are committed
   * together or not at all. If a handler calls neither this nor `repeat`, the job is removed after the handler.
   */
  finish(db: ClientBase): Promise<void>;
  /** Keeps the job for a next run, as a new one, or with the time of its creation if it `isSkipped`. */
  repeat(delaySeconds: number, run?: { isSkipped: boolean }): Promise<void>;
  /** Is aborted when the server stops, for a handler that takes longer than a stop waits. */
  signal: AbortSignal;
}

export interface WorkerOptions {
  owner: Pool;
  tasks: Readonly<Record<string, JobHandler>>;
  log: Pick<BaseLogger, "info" | "warn" | "error">;
  /**
   * How long a job stays with this worker after the last sign of life. Other workers take over the jobs of a dead one
   * after this time.
   */
  leaseSeconds?: number;
  /** In place of the limits of the lanes: after this time an attempt has failed, whatever its handler still does. */
  attemptSecondsMax?: number;
}

interface Job extends Pick<Rows["private.jobs"], "id" | "task" | "payload" | "attempts" | "attempts_max"> {
  lane: Lane;
}

/**
 * Runs the jobs of the database until `stop` is called. Other servers may do the same at the same time. It needs no LISTEN
 * and no state of the session, so a pooler may stand between.
 */
export class Worker {
  readonly #options: WorkerOptions & { leaseSeconds: number };
  readonly #id = randomUUID();
  /** Until its result is stored, a job counts as running. */
  readonly #running = new Map<string, Job>();
  readonly #stopping = new AbortController();
  #isClosed = false;
  #awake = Promise.withResolvers<void>();
  #leasesExtendedAt = performance.now();
  #isReachable = true;
  #reachedAt = performance.now();
  #takesOverFrom: number;
  readonly #ended: Promise<void>;
  #stopped: Promise<void> | undefined;

  constructor(options: WorkerOptions) {
    this.#options = { leaseSeconds: 15, ...options };
    this.#takesOverFrom = this.#inOneLease();
    this.#ended = this.#work();
  }

  /** Looks for due jobs now. */
  wake() {
    this.#awake.resolve();
  }

  /** Whether the worker has talked to the database within the last 30 seconds, which it does every second. */
  runs(): boolean {
    return !this.#isClosed && performance.now() - this.#reachedAt < silenceMillisecondsMax;
  }

  /** Starts no more jobs, and resolves when no job is running, or after `stopSecondsMax`. */
  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop() {
    this.#stopping.abort();
    this.wake();
    await Promise.race([this.#ended, pause(stopSecondsMax * 1000, undefined, { ref: false })]);
    this.#isClosed = true;
    this.wake();
  }

  async #work() {
    while (!this.#isClosed && !(this.#isStopping && this.#running.size === 0)) {
      // Replaced before the statement, so that a job that is added during it wakes the worker again.
      this.#awake = Promise.withResolvers();
      const rested = pause(restMilliseconds);
      await this.#takeJobs().then(
        () => this.#reachable(),
        (error: Error) => this.#unreachable(error),
      );
      const timer = setTimeout(() => this.wake(), pollMilliseconds);
      await Promise.all([this.#awake.promise, rested]);
      clearTimeout(timer);
    }
  }

  async #takeJobs() {
    const { owner, leaseSeconds } = this.#options;
    const running = [...this.#running.keys()];
    if (performance.now() - this.#leasesExtendedAt >= (leaseSeconds * 1000) / 3) {
      await owner.query(extendSql, [this.#id, leaseSeconds, running]);
      this.#leasesExtendedAt = performance.now();
    }
    const now = performance.now();
    const free = laneNames.map((lane) => this.#freeIn(lane));
    const { rows } = await owner.query<Job>(takeSql, [
      ...[this.#id, leaseSeconds, running, now >= this.#takesOverFrom],
      ...free,
    ]);
    // If this worker was paused, the leases may have expired and another worker may have these jobs. Those that it
    // still holds come with the next statement.
    if (performance.now() - now >= leaseSeconds * 1000) return;
    for (const job of rows) void this.#run(job);
  }

  #freeIn(lane: Lane): number {
    // A server without BACKUP_DIR leaves backups to the other servers of its database.
    const isOthers = lane === "backup" && !(recurringJobs.backup in this.#options.tasks);
    if (this.#isStopping || isOthers) return 0;
    return lanes[lane].atOnce - [...this.#running.values()].filter((job) => job.lane === lane).length;
  }

  #reachable() {
    if (!this.#isReachable) this.#options.log.warn("The queue reaches PostgreSQL again.");
    this.#isReachable = true;
    this.#reachedAt = performance.now();
  }

  /**
   * While PostgreSQL is down, live workers cannot extend their leases. So after an outage, as after the start, this
   * worker waits before it takes over a job whose lease has expired.
   */
  #unreachable(error: Error) {
    this.#takesOverFrom = this.#inOneLease();
    if (this.#isReachable) this.#options.log.warn(`The queue waits for PostgreSQL: ${explain(error) ?? error.message}`);
    this.#isReachable = false;
  }

  #inOneLease(): number {
    return performance.now() + this.#options.leaseSeconds * 1000;
  }

  get #isStopping(): boolean {
    return this.#stopping.signal.aborted;
  }

  async #run(job: Job) {
    const { log, tasks } = this.#options;
    const { id, task, attempts: attempt, attempts_max: attemptsMax } = job;
    const about = { job: id, task, attempt, ...causeOf(job.payload) };
    const begun = performance.now();
    this.#running.set(id, job);
    try {
      const handler = tasks[task];
      if (!handler) throw new Error(`This version of the server has no job ${task}.`);
      await this.#limit(job, handler(job.payload, this.#attemptOf(job)));
      log.info({ ...about, milliseconds: Math.round(performance.now() - begun) }, "A job is done.");
      await this.#store(doneSql, id);
    } catch (error) {
      // PostgreSQL cannot store NUL, which a mail server may have sent.
      const reason = String(error instanceof Error ? error.message : error).replaceAll("\0", "");
      if (attempt < attemptsMax) log.warn({ ...about, attemptsMax, reason }, "A job failed.");
      else log.error({ ...about, attemptsMax, reason }, "A job gave up.");
      await this.#store(failedSql, id, reason);
    }
    this.#running.delete(id);
    this.wake();
  }

  /** Stores the result of a job, however long PostgreSQL is away: without it, the job would run once more. */
  async #store(sql: string, ...values: string[]) {
    while (!this.#isClosed) {
      const error = await this.#options.owner.query(sql, [this.#id, ...values]).then(
        () => undefined,
        (error: Error) => error,
      );
      if (!error) return;
      this.#unreachable(error);
      await pause(pollMilliseconds, undefined, { ref: false });
    }
  }

  /** Rejects after the time that a job of this lane may take. */
  async #limit({ lane }: Job, work: Promise<void>) {
    const seconds = this.#options.attemptSecondsMax ?? lanes[lane].secondsMax;
    const { promise: late, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => reject(new Error(`The job did not end within ${seconds} seconds.`)), seconds * 1000);
    await Promise.race([late, work]).finally(() => clearTimeout(timer));
  }

  #attemptOf(job: Job): Attempt {
    const change = async (db: Pick<Pool | ClientBase, "query">, sql: string, ...values: unknown[]) => {
      const ofThisAttempt = `${sql} where id = $1 and leased_by = $2 and attempts = $3`;
      const { rowCount } = await db.query(ofThisAttempt, [job.id, this.#id, job.attempts, ...values]);
      if (rowCount === 0) throw new Error("This attempt of the job is over.");
    };
    return {
      finish: (db) => change(db, "delete from private.jobs"),
      repeat: (seconds, { isSkipped } = { isSkipped: false }) =>
        change(repeatable(this.#options.owner), repeatSql, seconds, isSkipped),
      signal: this.#stopping.signal,
    };
  }
}

/** What a line of the log names besides the job, so that the way of a contact can be followed. */
function causeOf(payload: unknown) {
  const { contact_id: contact, request_id: requestId } = (payload ?? {}) as Record<string, unknown>;
  return { contact, requestId };
}

const laneNames = Object.keys(lanes) as Lane[];

const repeatSql = `
  update private.jobs
  set run_at = now() + make_interval(secs => $4), created_at = case when $5 then created_at else now() end,
    attempts = 0, last_error = null, leased_by = null, leased_until = null`;

const doneSql = "delete from private.jobs where id = $2 and leased_by = $1";

/**
 * The nth failure is followed by a pause of e^n seconds, from the tenth on of 6.1 hours (`attemptsFor`). A job that gave
 * up is never due, so that the search for due jobs need not read all of these, which are kept (100,000 took 17 ms).
 */
const failedSql = `
  update private.jobs
  set leased_by = null, leased_until = null, last_error = $3,
      run_at = case when attempts < attempts_max
        then now() + make_interval(secs => exp(least(attempts, 10))) else 'infinity' end
  where id = $2 and leased_by = $1`;

/**
 * Extends the leases of the running jobs. Also mends times from a clock that ran ahead: no pause is longer than two days,
 * and a live worker extends its leases within seconds.
 */
const extendSql = `
  update private.jobs
  set run_at = least(run_at, now()),
    leased_until = case when leased_by is not null then now() + make_interval(secs => $2) end
  where id = any($3::bigint[]) and leased_by = $1
    or run_at > now() + interval '2 days' and run_at < 'infinity' or leased_until > now() + interval '1 minute'`;

/**
 * Selects due jobs of a lane, including those that are leased by this worker without its knowledge: the answer of the
 * statement that leased them was lost.
 */
const dueJobs = (lane: Lane, limit: string) => `array(
  select id from private.jobs
  where lane = '${lane}' and run_at <= now() and attempts < attempts_max and id <> all($3::bigint[])
    and (leased_until is null or leased_by = $1 or leased_until <= now() and $4)
  order by priority, run_at limit ${limit} for update skip locked)`;

const takeSql = `
  update private.jobs
  set attempts = attempts + 1, leased_by = $1, leased_until = now() + make_interval(secs => $2)
  where id = any(${laneNames.map((lane, index) => dueJobs(lane, `$${index + 5}`)).join(" || ")})
  returning id, task, lane, payload, attempts, attempts_max`;
