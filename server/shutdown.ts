import { setTimeout as pause } from "node:timers/promises";
import type { BaseLogger } from "pino";

interface Step {
  /** For the log. */
  name: string;
  /** So long after the signal the next step begins. All steps together have 10 seconds. */
  endsBySeconds: number;
  close(): PromiseLike<unknown>;
}

export interface Shutdown {
  /** Whether a signal has come: the start should go no further, and its failure is no failure. */
  readonly hasBegun: boolean;
  /** Adds what a stop closes. What depends on earlier steps is closed before them. */
  add(step: Step): void;
}

/**
 * Ends the process with 0 on the first of `signals`, whatever clients, mail servers and PostgreSQL do: a step that fails
 * or hangs keeps no other from its turn. Ctrl-C may arrive twice, from the terminal and from npm, so the second signal
 * changes nothing.
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

  async function close({ name, endsBySeconds, close }: Step, began: number) {
    const late = pause(began + endsBySeconds * 1000 - performance.now(), "late");
    const end = await Promise.race([late, (async () => close())().catch((error: unknown) => log.error(error))]);
    if (end === "late") log.warn(`The stop goes on: ${name} did not end within ${endsBySeconds} seconds.`);
  }

  for (const signal of signals) process.on(signal, stop);
  return {
    get hasBegun() {
      return hasBegun;
    },
    add: (step) => void steps.push(step),
  };
}
