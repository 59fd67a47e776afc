import { inspect } from "node:util";
import { expect, onTestFinished, test } from "vitest";
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

  // These take all processors, so the calls below wait.
  const running = upTo(hashThreadsMax).map((index) => add("running", `10.0.${index}.1`));
  const flood = Array.from({ length: 10 }, (_, index) => add("flood", `2001:db8:1:${index}::1`));
  await expect(add("flood", "2001:db8:1:ff::1")).rejects.toMatchObject(refused);
  const stranger = add("stranger", "192.0.2.1");
  const owner = add("owner", "198.51.100.1", true);

  const others = Array.from({ length: 28 }, (_, index) => add("others", `11.0.${index}.1`));
  await expect(add("others", "11.0.100.1")).rejects.toMatchObject(refused);
  const ownerToo = add("owner", "198.51.100.2", true);

  held.resolve();
  await Promise.all([...running, ...flood, stranger, owner, ownerToo, ...others]);
  const waited = started.slice(hashThreadsMax);
  expect(waited.slice(0, 3)).toEqual(["owner", "owner", "flood"]);
  expect(waited.indexOf("stranger")).toBe(12);
  await expect(add("again", "2001:db8:1:ff::1")).resolves.toBeUndefined();
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
