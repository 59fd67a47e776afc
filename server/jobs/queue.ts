import { setTimeout as pause } from "node:timers/promises";
import type { ClientBase, Pool } from "pg";
import type { BaseLogger } from "pino";
import { startWorker, type WorkerOptions } from "./worker.ts";

export type Log = Pick<BaseLogger, "info" | "warn" | "error">;

/** Where a task ends its own job. */
export interface Attempt {
  /** Which one this is, from 1. */
  number: number;
  /**
   * Removes the job inside a transaction of the task's own, which then has either done all of its work and ended, or
   * nothing. Without it, the job ends after the task.
   */
  finish(db: ClientBase): Promise<void>;
}

/** What a job of some name does. It rejects with a reason in words, which admins read, and is tried again later. */
export type JobHandler = (payload: unknown, attempt: Attempt) => Promise<void>;

export interface QueueOptions extends Partial<Pick<WorkerOptions, "lookEverySeconds" | "missingSecondsMax">> {
  owner: Pool;
  tasks: Readonly<Record<string, JobHandler>>;
  log: Log;
}

export interface Queue {
  /** Begins no more jobs and waits for those under way, but not for long: the next server does what is left. */
  stop(): Promise<void>;
}

/** Does the jobs of the database, beside any other server that does, until it is stopped. */
export function startQueue(options: QueueOptions): Queue {
  const stopping = new AbortController();
  let worker = startWorker(options);
  void keepWorking();

  // A worker ends by itself when it could not write down how a job went: PostgreSQL was gone at that very moment.
  async function keepWorking() {
    for (;;) {
      const reason = await worker.ended;
      if (stopping.signal.aborted) return;
      options.log.warn(`The queue begins anew: ${reason}`);
      await pause(1000, undefined, { signal: stopping.signal }).catch(() => {});
      if (stopping.signal.aborted) return;
      worker = startWorker(options);
    }
  }

  return {
    async stop() {
      stopping.abort();
      await worker.stop();
    },
  };
}
