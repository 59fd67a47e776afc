import { setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { hashSync, verifySync } from "@node-rs/argon2";

/** Kibibytes, passes and lanes of Argon2id. */
export type HashCost = Readonly<Record<"memoryCost" | "timeCost" | "parallelism", number>>;

export type HashTask = { secret: string; cost: HashCost } | { secret: string; stored: string };

/**
 * Ten of nineteen steps down: a hash still gets a tenth of a busy processor. On Linux process id 0 means this thread
 * alone; elsewhere it would be the whole server.
 */
if (process.platform === "linux") setPriority(0, 10);

// An error ends this thread, and so fails its task (`runInThread`).
parentPort?.on("message", (task: HashTask) => {
  const result = "stored" in task ? verifySync(task.stored, task.secret) : hashSync(task.secret, task.cost);
  parentPort?.postMessage(result);
});
