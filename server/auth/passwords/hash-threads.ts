import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { HashTask } from "./hash-worker.ts";

/** One hash for each processor at a time: more of them would only wait for each other. */
export const hashThreadsMax = availableParallelism();

/** A thread without work ends after this time, and gives back its memory. */
const idleMilliseconds = 60_000;

/** The threads without work, with the timers that end them. The last one that worked comes last. */
const idle: { thread: Worker; end: NodeJS.Timeout }[] = [];

/**
 * Hashes with Argon2id, or compares with a stored hash. Threads start with the first task, so that the start of the server
 * and commands without a password do not pay for them. They hash at a low priority, so that requests and PostgreSQL get
 * the processors first (docs/decisions/hashing-in-threads-of-low-priority.md). A thread that dies fails its own task only.
 */
export async function runInThread(task: HashTask): Promise<string | boolean> {
  const thread = takeThread();
  thread.postMessage(task);
  const [result] = await once(thread, "message");
  keepThread(thread);
  return result;
}

function takeThread(): Worker {
  const last = idle.pop();
  if (!last) return new Worker(new URL("./hash-worker.ts", import.meta.url));
  clearTimeout(last.end);
  last.thread.ref();
  return last.thread;
}

/** An idle thread does not keep the process alive. */
function keepThread(thread: Worker) {
  thread.unref();
  const end = setTimeout(() => {
    idle.splice(idle.indexOf(kept), 1);
    thread.terminate();
  }, idleMilliseconds).unref();
  const kept = { thread, end };
  idle.push(kept);
}
