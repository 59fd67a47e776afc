import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Job, type JobHelpers, Logger, runTaskList, type WorkerEvents } from "graphile-worker";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { separatePool } from "#server/database/connections";
import { ReconnectBudget } from "#server/database/reconnect";
import { type DeadWorkerOptions, releaseDeadWorkers } from "./dead-workers.ts";

/** With six, a job that hangs for its 30 seconds leaves room for others, and a mail server is not flooded. */
const concurrency = 6;

/** For the library's own statements; a running job holds none. One more connection listens for new jobs. */
const connectionsMax = 3;

/** How long a stop waits for the running jobs. The whole stop of the server has 10 seconds. */
const stopSecondsMax = 4;

/** What a job of some name does. It rejects with a reason that admins read, and is attempted again later. */
export type JobHandler = (payload: unknown, attempt: Attempt) => Promise<void>;

export interface Attempt {
  /** From 1. */
  number: number;
  /**
   * Removes the job inside a transaction of the handler's own, so that its work and the end of the job are committed
   * together or not at all. Without it, the job ends after the handler.
   */
  finish(db: ClientBase): Promise<void>;
}

export interface WorkerOptions extends Omit<DeadWorkerOptions, "log"> {
  owner: Pool;
  tasks: Readonly<Record<string, JobHandler>>;
  log: Pick<BaseLogger, "info" | "warn" | "error">;
}

export interface Worker {
  /** Resolves with the reason when no job is running and none will be started. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * A worker of graphile-worker with a name of its own, which all its connections carry: while PostgreSQL has one of them,
 * the worker is alive and keeps its jobs.
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
      // With a delay, the library does not wait until the result of a job is stored, and a failure there ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    Object.fromEntries(Object.entries(tasks).map(([task, handler]) => [task, taskFor(handler)])),
    pool,
  );
  // Before its first statement: jobs are locked in this name.
  worker.id = name;
  const deadWorkers = releaseDeadWorkers(pool, { log, ...deadWorkerOptions });

  // A worker that cannot store the result of a job starts no other. After two such failures its promise may never settle.
  const broken = new Promise<string>((resolve) => {
    events.once("pool:fatalError", ({ error }) => resolve(error instanceof Error ? error.message : String(error)));
  });
  const settled = worker.promise.then(
    () => "it had ended.",
    (error: Error) => error.message,
  );
  const ended = Promise.race([settled, broken]).then(async (reason) => {
    // The running jobs keep their locks. Three quiet checks in a row, for a job that was just fetched or just failed.
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
    // The work is done. A failure here would do it again, so this waits for PostgreSQL instead.
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

/** The library's own statement for a finished job and its queue. */
const removeJob = `
  with done as (delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 returning job_queue_id)
  update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
  from done where q.id = done.job_queue_id and q.locked_by = $2`;

/** Otherwise PostgreSQL keeps a dead machine's connections for two hours, and its jobs stay locked. */
async function setKeepalive(client: ClientBase) {
  await client.query(`select set_config('tcp_keepalives_idle', '20', false),
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '4', false)`);
}

/** Failed jobs are left out: the library logs them with a stack, `attempt` in one line. */
function loggerOver(log: WorkerOptions["log"]): Logger {
  return new Logger(() => (level, message, { failure }) => {
    if (!failure && (level === "error" || level === "warning")) log.warn(`Queue: ${message}`);
  });
}
