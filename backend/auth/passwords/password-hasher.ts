import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { Semaphore } from "#backend/limits/semaphore";
import { refusals } from "../refusals.ts";
import type { HashCost, HashTask } from "./hash-worker.ts";

/** OWASP's minimum for Argon2id: 19 MiB, two passes. Measured: 8 to 24 ms per hash. */
const defaultCost: HashCost = { memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 };

/** One hash for each processor at a time: more of them would only wait for each other. */
export const hashThreadsMax = availableParallelism();
const hashes = new Semaphore(hashThreadsMax);

/**
 * Fifty waiting hashes are about a second of work; the next request gets 429 at once. One network has four of the places
 * at most, because its requests share its connections (`auth-api.ts`).
 */
const waitingMax = 50;

/** Queues `work` behind the other hashes of this process, or throws 429. Exported for the tests. */
export async function limitHashing<T>(work: () => Promise<T>): Promise<T> {
  if (hashes.isFull(waitingMax)) throw refusals.tooBusy();
  return hashes.run(work);
}

export interface PasswordHasher {
  hash(secret: string): Promise<string>;
  /** Without a hash, the result is false after the same work, so timing does not reveal accounts. */
  matches(hash: string | null | undefined, secret: string): Promise<boolean>;
}

/** Hashes passwords and mailed codes with Argon2id. A lower `cost` is for tests, which hash a thousand times. */
export function passwordHasher(cost: HashCost = defaultCost): PasswordHasher {
  const decoy = decoyHash(cost);
  return {
    hash: (secret) => limitHashing(async () => String(await runInThread({ secret, cost }))),
    matches: (stored, secret) =>
      limitHashing(async () => (await runInThread({ secret, stored: stored ?? decoy })) === true && Boolean(stored)),
  };
}

/**
 * Salt and hash are random, so no password matches. The comparison reads the cost here, so it takes as long as with a
 * stored hash.
 */
function decoyHash({ memoryCost, timeCost, parallelism }: HashCost): string {
  const [salt, hash] = [16, 32].map((bytes) => randomBytes(bytes).toString("base64").replaceAll("=", ""));
  return `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${salt}$${hash}`;
}

/** A thread without work ends after this time, and gives back its memory. */
const idleMilliseconds = 60_000;

/** The threads without work, with the timers that end them. The last one that worked comes last. */
const idle: { thread: Worker; end: NodeJS.Timeout }[] = [];

/**
 * Threads start with the first task, so that the start of the server does not pay for them, and hash at a low priority
 * (docs/decisions/hashing-in-threads-of-low-priority.md). A thread that dies fails its own task only.
 */
async function runInThread(task: HashTask): Promise<string | boolean> {
  const thread = takeThread();
  thread.postMessage(task);
  const [result] = await once(thread, "message");
  keepThread(thread);
  return result;
}

function takeThread(): Worker {
  const last = idle.pop();
  if (!last) return startThread();
  clearTimeout(last.end);
  last.thread.ref();
  return last.thread;
}

function startThread(): Worker {
  const thread = new Worker(new URL("./hash-worker.ts", import.meta.url));
  // One that dies without work must neither end the process nor get the next task.
  return thread.on("error", () => {}).on("exit", () => forget(thread));
}

function keepThread(thread: Worker) {
  thread.unref();
  const end = setTimeout(() => {
    forget(thread);
    thread.terminate();
  }, idleMilliseconds).unref();
  idle.push({ thread, end });
}

function forget(thread: Worker) {
  const index = idle.findIndex((each) => each.thread === thread);
  if (index !== -1) clearTimeout(idle.splice(index, 1)[0]?.end);
}
