import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { type Job, type JobHelpers, Logger, runTaskList, type WorkerEvents } from "graphile-worker";
import type { ClientBase, Pool } from "pg";
import { separatePool } from "#server/database/connections";
import { ReconnectBudget } from "#server/database/reconnect";
import { releaseDeadWorkers } from "./dead-workers.ts";
import type { JobHandler, Log } from "./queue.ts";

/** Enough that one that hangs for its 30 seconds leaves room for others, and little for a mail server. */
const jobsAtOnce = 6;

/** For the library's questions only; a task under way holds none. One more listens for new jobs. */
const connectionsMax = 3;

/** How long a stop waits for the jobs under way. All of it must fit into the server's own 10 seconds. */
const stopSecondsMax = 4;

export interface WorkerOptions {
  owner: Pool;
  tasks: Readonly<Record<string, JobHandler>>;
  log: Log;
  lookEverySeconds?: number | undefined;
  missingSecondsMax?: number | undefined;
}

export interface Worker {
  /** Resolves with the reason once no job is under way and none will be. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

/**
 * A worker of graphile-worker under a name of our own, which all its connections carry: as long as PostgreSQL knows one
 * of them, it is alive, and its jobs are left to it.
 */
export function startWorker({ owner, tasks, log, ...patience }: WorkerOptions): Worker {
  const name = `worker ${randomUUID()}`;
  const pool = separatePool(owner, { max: connectionsMax + 1, application_name: name, onConnect: noticeLostMachines });
  const events: WorkerEvents = new EventEmitter();
  let underWay = 0;
  let over = false;
  let leaving: Promise<void> | undefined;
  const stopping = new AbortController();

  const worker = runTaskList(
    {
      concurrency: jobsAtOnce,
      noHandleSignals: true,
      // New jobs are announced; this is for those whose pause is over.
      pollInterval: 2000,
      logger: loggerOver(log),
      events,
      // Without these, the library does not wait for its own note of how a job went, and a failure ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    },
    Object.fromEntries(Object.entries(tasks).map(([task, perform]) => [task, attempting(perform)])),
    pool,
  );
  // Before its first question to the database: jobs are locked in this name.
  worker.id = name;
  const watching = releaseDeadWorkers(pool, { log, ...patience });

  // When it cannot write down how a job went, it begins no other. If that happened to two, it may never come to its end.
  const broken = new Promise<string>((tell) => {
    events.once("pool:fatalError", ({ error }) => tell(error instanceof Error ? error.message : String(error)));
  });
  const ended = worker.promise.then(
    () => "it had ended.",
    (error: Error) => error.message,
  );
  const tidied = Promise.race([ended, broken]).then(async (reason) => {
    // The jobs under way are still its own. A moment more, for one that was just fetched, or just failed.
    for (let quiet = 0; quiet < 3; quiet = underWay > 0 ? 0 : quiet + 1) await pause(100);
    await leave();
    return reason;
  });

  function leave() {
    over = true;
    watching.stop();
    leaving ??= pool.end();
    return leaving;
  }

  function attempting(perform: JobHandler) {
    return async (payload: unknown, { job }: JobHelpers) => {
      // Whoever is gone is not missed: another worker does this job, and it must not be done here as well.
      if (over) throw new Error("The worker has ended.");
      underWay += 1;
      try {
        await new ReconnectBudget(() => stopping.signal).run(() => attempt(perform, payload, job));
      } finally {
        underWay -= 1;
      }
    };
  }

  async function attempt(perform: JobHandler, payload: unknown, job: Job) {
    const finish = async (db: Pick<ClientBase, "query">) => void (await db.query(removeJob, [job.id, name]));
    try {
      await perform(payload, { number: job.attempts, finish });
    } catch (error) {
      const reason = (error as Error).message;
      const { task_identifier: task, attempts: attempt, max_attempts: attemptsMax } = job;
      log.warn({ task, job: job.id, attempt, attemptsMax, reason }, "A job failed.");
      await persist(() => pool.query("select"));
      throw error;
    }
    // The work is done, so this must not fail, or it would be done again: it waits for PostgreSQL instead.
    await persist(() => finish(pool));
  }

  async function persist(work: () => Promise<unknown>) {
    while (!over) {
      try {
        return void (await work());
      } catch {
        await pause(500);
      }
    }
  }

  return {
    ended: tidied,
    async stop() {
      stopping.abort();
      const stopped = Promise.resolve(worker.gracefulShutdown()).catch(() => {});
      await Promise.race([stopped, tidied, pause(stopSecondsMax * 1000, undefined, { ref: false })]);
      await leave();
    },
  };
}

/** The library's own statement for a job that is done, queue and all. */
const removeJob = `
  with done as (delete from graphile_worker._private_jobs where id = $1 and locked_by = $2 returning job_queue_id)
  update graphile_worker._private_job_queues q set locked_by = null, locked_at = null
  from done where q.id = done.job_queue_id and q.locked_by = $2`;

/** A machine that lost its power says no farewell. PostgreSQL would wait two hours before it forgets its connections. */
async function noticeLostMachines(client: ClientBase) {
  await client.query(`select set_config('tcp_keepalives_idle', '20', false),
    set_config('tcp_keepalives_interval', '5', false), set_config('tcp_keepalives_count', '4', false)`);
}

/** What the library has to complain about. A failed job it would tell with all of its stack, and we in one line. */
function loggerOver(log: Log): Logger {
  return new Logger(() => (level, message, { failure }) => {
    if (!failure && (level === "error" || level === "warning")) log.warn(`Queue: ${message}`);
  });
}
