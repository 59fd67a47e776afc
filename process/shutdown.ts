import { setTimeout as pause } from "node:timers/promises";
import type { BaseLogger } from "pino";

/**
 * A stop takes at most 10 seconds: requests and jobs have 4 seconds to end, then PostgreSQL has 4 seconds. If the
 * server is still starting, there are no requests, so PostgreSQL has all of the time. It may be creating its data
 * folder.
 */
export const stopDeadlineSeconds = { work: 4.5, database: 9.5 };

interface Step {
  /** The name of the step in the log. */
  name: string;
  /** This step must end within this time, counted from the signal. All steps together have 10 seconds. */
  deadlineSeconds: number;
  close(): PromiseLike<unknown>;
}

export interface Shutdown {
  /** Whether a signal has arrived. If so, the start does not continue, and an error of the start is not reported. */
  readonly hasBegun: boolean;
  /** Is aborted when a signal arrives, before the first step is closed. */
  readonly signal: AbortSignal;
  /** Adds a step. The last added is closed first, since it depends on earlier ones. */
  add(step: Step): void;
  /** Signals no longer arrive here, unless one has. */
  release(): void;
}

/**
 * Ends the process with this exit code when a signal to stop arrives. A step that fails or hangs does not stop the next
 * one. Ctrl-C may arrive twice, from the terminal and from npm, so the second signal changes nothing.
 *
 * SIGHUP means that the terminal was closed. Without a terminal it gets no listener, which would undo `nohup`, which makes
 * the process ignore this signal.
 */
export function shutdownOnSignal(log: Pick<BaseLogger, "warn" | "error">, exitCode = 0): Shutdown {
  const signals: NodeJS.Signals[] = process.stdout.isTTY ? ["SIGINT", "SIGTERM", "SIGHUP"] : ["SIGINT", "SIGTERM"];
  const steps: Step[] = [];
  const stopping = new AbortController();

  async function stop() {
    if (stopping.signal.aborted) return;
    stopping.abort();
    const began = performance.now();
    for (let step = steps.pop(); step; step = steps.pop()) await close(step, began);
    process.exit(exitCode);
  }

  async function close({ name, deadlineSeconds, close }: Step, began: number) {
    const timeout = pause(began + deadlineSeconds * 1000 - performance.now(), "timeout");
    const end = await Promise.race([timeout, (async () => close())().catch((error: unknown) => log.error(error))]);
    if (end === "timeout") log.warn(`Shutting down anyway: ${name} did not end within ${deadlineSeconds} seconds.`);
  }

  for (const signal of signals) process.on(signal, stop);
  return {
    get hasBegun() {
      return stopping.signal.aborted;
    },
    signal: stopping.signal,
    add: (step) => void steps.push(step),
    release() {
      if (!stopping.signal.aborted) for (const signal of signals) process.off(signal, stop);
    },
  };
}
