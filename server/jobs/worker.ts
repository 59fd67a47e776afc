import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Job, type JobHelpers, Logger, runTaskList, type WorkerEvents } from "graphile-worker";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { separatePool } from "#server/database/connections";
import { ReconnectBudget } from "#server/database/reconnect";
import { type DeadWorkerOptions, releaseDeadWorkers } from "./dead-workers.ts";

/**
 * How many jobs run at once. If one job hangs for 30 seconds, the others still run, but there are too few to flood a
 * mail server.
 */
const concurrency = 6;

/**
 * The connections for the library's own statements. A job needs none of them while it runs. One more connection listens
 * for new jobs.
 */
const connectionsMax = 3;

/** How long a stop waits for the running jobs. The whole stop of the server has 10 seconds. */
const stopSecondsMax = 4;

/** Does the work of a job. If it rejects, admins read the reason, and the job is attempted again later. */
export type JobHandler = (payload: unknown, attempt: Attempt) => Promise<void>;

export interface Attempt {
  /** The number of this attempt; the first is 1. */
  number: number;
  /**
   * Removes the job inside a transaction of the handler. So the handler's work and the removal of the job are committed
   * together or not at all. If a handler does not call this, the job is removed after the handler.
   */
  finish(db: ClientBase): Promise<void>;
}

export interface WorkerOptions extends Omit<DeadWorkerOptions, "log"> {
  owner: Pool;
  tasks: Readonly<Record<string, JobHandler>>;
  log: Pick<BaseLogger, "info" | "warn" | "error">;
}

export interface Worker {
  /** Resolves when no job is running and the worker starts no more. The value is the reason why the worker ended. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a worker of graphile-worker. It has a unique name and uses it for all its connections. As long as PostgreSQL
 * has a connection with this name, the worker counts as alive and keeps its jobs.
 */
export function startWorker({ owner, tasks, log, ...deadWorkerOptions }: WorkerOptions): Worker {
  const name = `worker ${randomUUID()}`;
  const pool = separatePool(owner, { max: connectionsMax + 1, application_name: name, onConnect: setKeepalive });
  const events: WorkerEvents = new EventEmitter();
  let running = 0;
  let closed = false;
  let closing: Promise<void> | undefined;
  const stopping = new AbortController();

  const worker = runTaskList(
    {
      concurrency,
      noHandleSignals: true,
      // PostgreSQL announces new jobs by NOTIFY. Polling finds the failed jobs that may be attempted again.
      pollInterval: 2000,
      logger: loggerOver(log),
      events,
      // With a delay, the library would not wait until the result of a job is stored. If the result could not be
      // stored, the process would end.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    Object.fromEntries(Object.entries(tasks).map(([task, handler]) => [task, taskFor(handler)])),
    pool,
  );
  // The name is set before the worker's first statement, because the locks on jobs contain this name.
  worker.id = name;
  const deadWorkers = releaseDeadWorkers(pool, { log, ...deadWorkerOptions });

  // A worker that cannot store the result of a job starts no other job. After two such failures, `worker.promise` may
  // never settle, so this event is awaited as well.
  const broken = new Promise<string>((resolve) => {
    events.once("pool:fatalError", ({ error }) => resolve(error instanceof Error ? error.message : String(error)));
  });
  const settled = worker.promise.then(
    () => "it had ended.",
    (error: Error) => error.message,
  );
  const ended = Promise.race([settled, broken]).then(async (reason) => {
    // The running jobs keep their locks, so wait for their end. Three checks in a row must find no running job. One
    // check is not enough: a job may have been fetched but not started, or may have failed just now.
    for (let quiet = 0; quiet < 3; quiet = running > 0 ? 0 : quiet + 1) await pause(100);
    await close();
    return reason;
  });

  function close() {
    closed = true;
    deadWorkers.stop();
    closing ??= pool.end();
    return closing;
  }

  function taskFor(handler: JobHandler) {
    return async (payload: unknown, { job }: JobHelpers) => {
      // Another worker may run this job now, so this worker must not run it.
      if (closed) throw new Error("The worker has ended.");
      running += 1;
      try {
        await new ReconnectBudget(() => stopping.signal).run(() => attempt(handler, payload, job));
      } finally {
        running -= 1;
      }
    };
  }

  async function attempt(handler: JobHandler, payload: unknown, job: Job) {
    const finish = async (db: Pick<ClientBase, "query">) => void (await db.query(removeJob, [job.id, name]));
    try {
      await handler(payload, { number: job.attempts, finish });
    } catch (error) {
      const reason = (error as Error).message;
      const { task_identifier: task, attempts: attempt, max_attempts: attemptsMax } = job;
      log.warn({ task, job: job.id, attempt, attemptsMax, reason }, "A job failed.");
      await persist(() => pool.query("select"));
      throw error;
    }
    // The handler has done its work. If the end of the job is not stored, the job runs again. So wait until PostgreSQL
    // stores it.
    await persist(() => finish(pool));
  }

  async function persist(work: () => Promise<unknown>) {
    while (!closed) {
      try {
        return void (await work());
      } catch {
        await pause(500);
      }
    }
  }

  return {
    ended,
    async stop() {
      stopping.abort();
      const stopped = Promise.resolve(worker.gracefulShutdown()).catch(() => {});
      await Promise.race([stopped, ended, pause(stopSecondsMax * 1000, undefined, { ref: false })]);
      await close();
    },
  };
}

/** Removes a finished job and unlocks its queue. The statement is the library's own. */
const removeJob = `
  with done as (delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 returning job_queue_id)
  update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
  from done where q.id = done.job_queue_id and q.locked_by = $2`;

/**
 * Turns on TCP keepalive. Without it, PostgreSQL keeps the connections of a dead machine for two hours, and the jobs of
 * that machine stay locked.
 */
async function setKeepalive(client: ClientBase) {
  await client.query(`select set_config('tcp_keepalives_idle', '20', false),
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '4', false)`);
}

/** Does not log failed jobs: `attempt` has logged each in one line, and the library would add a stack. */
function loggerOver(log: WorkerOptions["log"]): Logger {
  return new Logger(() => (level, message, { failure }) => {
    if (!failure && (level === "error" || level === "warning")) log.warn(`Queue: ${message}`);
  });
}
