import { expect, onTestFinished, test } from "vitest";
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

test("limitHashing lets known callers go first and gives one wide network only ten places", async () => {
  const started: string[] = [];
  const held = Promise.withResolvers<void>();
  onTestFinished(() => held.resolve());
  const add = (name: string, ip: string, isKnown = false) =>
    limitHashing(
      () => {
        started.push(name);
        return held.promise;
      },
      { ip, isKnown },
    );
  const refused = { status: 429, code: "over_request_rate_limit" };

  const flood = Array.from({ length: 10 }, (_, index) => add("flood", `2001:db8:1:${index}::1`));
  await expect(add("flood", "2001:db8:1:ff::1")).rejects.toMatchObject(refused);
  const stranger = add("stranger", "192.0.2.1");
  const owner = add("owner", "198.51.100.1", true);

  const others = Array.from({ length: 30 }, (_, index) => add("others", `11.0.${index}.1`));
  await expect(add("others", "11.0.100.1")).rejects.toMatchObject(refused);
  const ownerToo = add("owner", "198.51.100.2", true);

  held.resolve();
  await Promise.all([...flood, stranger, owner, ownerToo, ...others]);
  expect(started.slice(0, 5)).toEqual(["flood", "flood", "owner", "owner", "flood"]);
  expect(started.indexOf("stranger")).toBe(12);
  await expect(add("again", "2001:db8:1:ff::1")).resolves.toBeUndefined();
});
