import { QueryClient } from "@tanstack/react-query";
import { expect, test } from "vitest";
import { readSettled, sendChange } from "./send-change";

test("a list is read again until no change was under way, however many there were", async () => {
  const queries = new QueryClient();
  const changes = 7;
  let stored = 0;
  let read = 0;
  const list = await readSettled(async () => {
    const seen = stored;
    read += 1;
    if (read > changes) return seen;
    await sendChange(queries, async () => {
      stored += 1;
    });
    return seen;
  });
  expect([list, read]).toEqual([changes, changes + 1]);
});
