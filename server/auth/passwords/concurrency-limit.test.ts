import { expect, test } from "vitest";
import { limitConcurrency } from "./concurrency-limit.ts";

/** Work that ends when it is told to. */
function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, end: resolve };
}

test("so many run, so many wait in order, and the next is refused", async () => {
  const inTurn = limitConcurrency({ running: 2, waiting: 2 });
  const [first, second] = [held(), held()];
  const order: string[] = [];
  const step = (name: string) => async () => void order.push(name);

  const running = [inTurn(first.work), inTurn(second.work)];
  const waiting = [inTurn(step("third")), inTurn(step("fourth"))];
  await expect(inTurn(step("fifth"))).rejects.toMatchObject({ status: 429, code: "over_request_rate_limit" });
  expect(order).toEqual([]);

  first.end();
  await Promise.all(waiting);
  expect(order).toEqual(["third", "fourth"]);
  second.end();
  await Promise.all(running);
});

test("work that fails gives its place on", async () => {
  const inTurn = limitConcurrency({ running: 1, waiting: 1 });
  const failing = inTurn(() => Promise.reject(new Error("It broke.")));
  const next = inTurn(async () => "done");
  await expect(failing).rejects.toThrow("It broke.");
  expect(await next).toBe("done");
  expect(await inTurn(async () => "again")).toBe("again");
});
