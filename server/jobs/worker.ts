import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Job, type JobHelpers, Logger, runTaskList, type WorkerEvents } from "graphile-worker";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { separatePool } from "#server/database/connections";
import { ReconnectBudget } from "#server/database/reconnect";
import { type DeadWorkerOptions, releaseDeadWorkers } from "./dead-workers.ts";

/** How many jobs run at once: enough that others run while one hangs for 30 seconds, too few to flood a mail server. */
const concurrency = 6;

/** The connections for the library's own statements; a running job holds none. One more listens for new jobs. */
const connectionsMax = 3;

/** How long a stop waits for the running jobs. The whole stop of the server has 10 seconds. */
const stopSecondsMax = 4;

/** Does the work of a job. If it rejects, admins read the reason, and the job is attempted again later. */
export type JobHandler = (payload: unknown, attempt: Attempt) => Promise<void>;

export interface Attempt {
  /** 1 for the first attempt. */
  number: number;
  /**
   * Removes the job inside a transaction of the handler's own, so that its work and the end of the job are committed
   * together or not at all. Without this call, the job ends after the handler.
   */
  finish(db: ClientBase): Promise<void>;
}

export interface WorkerOptions extends Omit<DeadWorkerOptions, "log"> {
  owner: Pool;
  tasks: Readonly<Record<string, JobHandler>>;
  log: Pick<BaseLogger, "info" | "warn" | "error">;
}

export interface Worker {
  /** Resolves with the reason of the worker's end, once no job is running and none will be started. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a worker of graphile-worker with a name of its own, which all its connections carry. As long as PostgreSQL has
 * a connection with this name, the worker counts as alive and keeps its jobs.
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
      // New jobs are announced by NOTIFY; polling is for jobs whose pause is over.
      pollInterval: 2000,
      logger: loggerOver(log),
      events,
      // With a delay, the library does not wait until the result of a job is stored, and a failure to store it
      // ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    Object.fromEntries(Object.entries(tasks).map(([task, handler]) => [task, taskFor(handler)])),
    pool,
  );
  // Set before the worker's first statement, because jobs are locked in this name.
  worker.id = name;
  const deadWorkers = releaseDeadWorkers(pool, { log, ...deadWorkerOptions });

  // A worker that cannot store the result of a job starts no other job. Its promise may never settle after two such
  // failures, so this event is awaited as well.
  const broken = new Promise<string>((resolve) => {
    events.once("pool:fatalError", ({ error }) => resolve(error instanceof Error ? error.message : String(error)));
  });
  const settled = worker.promise.then(
    () => "it had ended.",
    (error: Error) => error.message,
  );
  const ended = Promise.race([settled, broken]).then(async (reason) => {
    // The running jobs keep their locks, so wait for their end. Three checks in a row must find no running job, because
    // one may just have been fetched or just have failed.
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
      // Another worker does this job now: it must not run here as well.
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
    // The work is done. If the end of the job were not stored, it would run again, so wait until PostgreSQL stores it.
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

/** Removes a finished job and unlocks its queue, with the library's own statement. */
const removeJob = `
  with done as (delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 returning job_queue_id)
  update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
  from done where q.id = done.job_queue_id and q.locked_by = $2`;

/** TCP keepalive: otherwise PostgreSQL keeps a dead machine's connections for two hours, and its jobs stay locked. */
async function setKeepalive(client: ClientBase) {
  await client.query(`select set_config('tcp_keepalives_idle', '20', false),
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '4', false)`);
}

/** Leaves out failed jobs, which the library would log with a stack: `attempt` has logged them in one line. */
function loggerOver(log: WorkerOptions["log"]): Logger {
  return new Logger(() => (level, message, { failure }) => {
    if (!failure && (level === "error" || level === "warning")) log.warn(`Queue: ${message}`);
  });
}
