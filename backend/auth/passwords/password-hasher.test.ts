import { inspect } from "node:util";
import { expect, test } from "vitest";
import { hashThreadsMax, limitHashing, passwordHasher } from "./password-hasher.ts";

/** The first numbers from 0 on. */
const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

test("limitHashing runs a hash per processor, queues fifty and refuses the next with 429", async () => {
  const started: number[] = [];
  const ends = Array.from({ length: hashThreadsMax + 50 }, () => Promise.withResolvers<void>());
  const hashes = ends.map(({ promise }, index) =>
    limitHashing(() => {
      started.push(index);
      return promise;
    }),
  );
  await expect.poll(() => started).toEqual(upTo(hashThreadsMax));
  await expect(limitHashing(async () => {})).rejects.toMatchObject({ status: 429, code: "over_request_rate_limit" });

  // When the first hash fails, the next waiting hash starts too.
  ends[0]?.reject(new Error("It broke."));
  await expect(hashes[0]).rejects.toThrow("It broke.");
  await expect.poll(() => started).toEqual(upTo(hashThreadsMax + 1));

  for (const { resolve } of ends) resolve();
  await Promise.all(hashes.slice(1));
  expect(started).toEqual(ends.map((_, index) => index));
  expect(await limitHashing(async () => "again")).toBe("again");
});

test("a password matches its own hash only, and a missing hash matches nothing", async () => {
  const hasher = passwordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const stored = await hasher.hash("correct horse");
  expect(stored).toMatch(/^\$argon2id\$v=19\$m=8,t=1,p=1\$/);
  const compared = [stored, undefined].map((hash) => hasher.matches(hash, "correct horse"));
  expect(await Promise.all([...compared, hasher.matches(stored, "wrong horse")])).toEqual([true, false, false]);
  expect(await passwordHasher().hash("correct horse")).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test("a failed hash does not break later ones, and its error does not contain the password", async () => {
  const hasher = passwordHasher({ memoryCost: 8, timeCost: 1, parallelism: 1 });
  const failure = await hasher.matches("not a hash", "correct horse").catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Error);
  expect(inspect(failure)).not.toContain("correct horse");
  expect(await hasher.hash("correct horse")).toContain("argon2id");
});
