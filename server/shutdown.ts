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
  /** Adds a step. The last added is closed first, since it depends on earlier ones. */
  add(step: Step): void;
}

/**
 * Ends the process with exit code 0 when one of `signals` arrives. A step that fails or hangs does not stop the next
 * one. Ctrl-C may arrive twice, from the terminal and from npm, so the second signal changes nothing.
 */
export function shutdownOn(signals: readonly NodeJS.Signals[], log: Pick<BaseLogger, "warn" | "error">): Shutdown {
  const steps: Step[] = [];
  let hasBegun = false;

  async function stop() {
    if (hasBegun) return;
    hasBegun = true;
    const began = performance.now();
    for (let step = steps.pop(); step; step = steps.pop()) await close(step, began);
    process.exit(0);
  }

  async function close({ name, deadlineSeconds, close }: Step, began: number) {
    const timeout = pause(began + deadlineSeconds * 1000 - performance.now(), "timeout");
    const end = await Promise.race([timeout, (async () => close())().catch((error: unknown) => log.error(error))]);
    if (end === "timeout") log.warn(`Shutting down anyway: ${name} did not end within ${deadlineSeconds} seconds.`);
  }

  for (const signal of signals) process.on(signal, stop);
  return {
    get hasBegun() {
      return hasBegun;
    },
    add: (step) => void steps.push(step),
  };
}
