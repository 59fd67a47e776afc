import { availableParallelism } from "node:os";
import type { Piscina } from "piscina";
import type { HashCost, HashTask } from "./hash-worker.ts";

/** One hash for each processor at a time: more of them would only wait for each other. */
export const hashThreadsMax = availableParallelism();

/** A thread without work ends after this time, and gives back its memory. */
const idleMilliseconds = 60_000;

/**
 * Half of the way to the lowest priority: busy with requests, the server still hashes with a tenth of a processor. Only on
 * Linux a thread has a priority of its own; elsewhere this would be that of the whole server.
 */
const priority = process.platform === "linux" ? { niceIncrement: 10 } : {};

let threads: Promise<Piscina<HashTask, string | boolean>> | undefined;

/** Hashes with Argon2id in a thread. */
export async function hashInThread(secret: string, cost: HashCost): Promise<string> {
  return String(await run({ secret, cost }));
}

/** Whether `stored` is the hash of `secret`. */
export async function matchesInThread(stored: string, secret: string): Promise<boolean> {
  return (await run({ secret, stored })) === true;
}

/**
 * Threads start with the first task, so that the start of the server and commands without a password do not pay for
 * them. They hash at a low priority, so that requests and PostgreSQL get the processors first
 * (docs/decisions/hashing-in-threads-of-low-priority.md). A thread that dies fails its own task only, and is replaced.
 * Idle threads do not keep the process alive.
 */
async function run(task: HashTask) {
  threads ??= startThreads().catch((error: Error) => {
    // The next hash tries again: too many open files, for example, is a passing error.
    threads = undefined;
    throw error;
  });
  return (await threads).run(task);
}

async function startThreads() {
  const { Piscina } = await import("piscina");
  return new Piscina<HashTask, string | boolean>({
    filename: new URL("./hash-worker.ts", import.meta.url).href,
    minThreads: 0,
    maxThreads: hashThreadsMax,
    idleTimeout: idleMilliseconds,
    ...priority,
  });
}
