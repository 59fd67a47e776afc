import { EventEmitter, once } from "node:events";
import { PassThrough } from "node:stream";
import { pino } from "pino";
import { expect, test } from "vitest";
import { logDestination } from "./log-destination.ts";

function start() {
  const written: string[] = [];
  const exit = new EventEmitter();
  const log = pino({ base: null, timestamp: false }, logDestination({ write: (text) => written.push(text) }, exit));
  return { log, written, exit };
}

test("the lines of some milliseconds are written at once, in their order", async () => {
  const { log, written } = start();
  log.info("one");
  log.child({ of: "a request" }).info("two");
  expect(written).toEqual([]);
  await expect.poll(() => written).toEqual(['{"level":30,"msg":"one"}\n{"level":30,"of":"a request","msg":"two"}\n']);
  log.info("three");
  await expect.poll(() => written.slice(1)).toEqual(['{"level":30,"msg":"three"}\n']);
});

test("a warning is written immediately, after the lines before it", () => {
  const { log, written } = start();
  log.info("one");
  log.child({}).warn("two");
  expect(written).toEqual(['{"level":30,"msg":"one"}\n{"level":40,"msg":"two"}\n']);
});

test("no line is lost if the process exits at once", () => {
  const { log, written, exit } = start();
  log.info("last words");
  exit.emit("exit");
  expect(written).toEqual(['{"level":30,"msg":"last words"}\n']);
});

test("a stalled reader costs a bounded amount of memory, and learns how many lines it missed", async () => {
  const output = new PassThrough({ encoding: "utf8" });
  const log = pino({ base: null, timestamp: false }, logDestination(output, new EventEmitter()));
  const line = "x".repeat(2 ** 20);
  for (let number = 0; number < 40; number++) log.warn(line);
  expect(output.writableLength + output.readableLength).toBeLessThan(20 * 2 ** 20);

  let read = "";
  output.on("data", (text: string) => {
    read += text;
  });
  await once(output, "drain");
  log.warn("again");
  await expect.poll(() => read).toContain("again");
  const messages = read
    .trim()
    .split("\n")
    .map((each): string => JSON.parse(each).msg);
  const kept = messages.filter((msg) => msg === line).length;
  expect(messages.slice(kept)).toEqual([
    `${40 - kept} lines of the log were left out: its reader had stopped.`,
    "again",
  ]);
});
