import { expect, test } from "vitest";
import { limitHashing } from "./password-hasher.ts";

test("limitHashing runs two hashes in parallel, queues fifty and refuses the next with 429", async () => {
  const started: number[] = [];
  const ends = Array.from({ length: 52 }, () => Promise.withResolvers<void>());
  const hashes = ends.map(({ promise }, index) =>
    limitHashing(() => {
      started.push(index);
      return promise;
    }),
  );
  await expect.poll(() => started).toEqual([0, 1]);
  await expect(limitHashing(async () => {})).rejects.toMatchObject({ status: 429, code: "over_request_rate_limit" });

  // When the first hash fails, the next waiting hash starts too.
  ends[0]?.reject(new Error("It broke."));
  await expect(hashes[0]).rejects.toThrow("It broke.");
  await expect.poll(() => started).toEqual([0, 1, 2]);

  for (const { resolve } of ends) resolve();
  await Promise.all(hashes.slice(1));
  expect(started).toEqual(ends.map((_, index) => index));
  expect(await limitHashing(async () => "again")).toBe("again");
});
