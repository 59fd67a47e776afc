import { refusals } from "../refusals.ts";

/** Lets at most `running` pieces of work run at once and `waiting` more wait, first come, first served. */
export function limitConcurrency({ running, waiting }: { running: number; waiting: number }) {
  let free = running;
  const queue: (() => void)[] = [];

  return async function inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else if (queue.length >= waiting) throw refusals.tooBusy();
    // Whoever ends hands its place over without freeing it, so that nobody can slip in between.
    else await new Promise<void>((start) => queue.push(start));
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next();
      else free += 1;
    }
  };
}
