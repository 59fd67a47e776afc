import { hashSync, verifySync } from "@node-rs/argon2";

/** Kibibytes, passes and lanes of Argon2id. */
export type HashCost = Readonly<Record<"memoryCost" | "timeCost" | "parallelism", number>>;

/** A secret to hash, or to compare with a stored hash. */
export type HashTask = { secret: string; cost: HashCost } | { secret: string; stored: string };

/** Runs in the threads of `hash-threads.ts`. */
export default function run(task: HashTask): string | boolean {
  return "stored" in task ? verifySync(task.stored, task.secret) : hashSync(task.secret, task.cost);
}
