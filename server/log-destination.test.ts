import { EventEmitter } from "node:events";
import { pino } from "pino";
import { expect, test } from "vitest";
import { logDestination } from "./log-destination.ts";

function start() {
  const written: string[] = [];
  const exit = new EventEmitter();
  const log = pino({ base: null, timestamp: false }, logDestination({ write: (text) => written.push(text) }, exit));
  return { log, written, exit };
}

test("the lines of one turn of the event loop are written at once, in their order", async () => {
  const { log, written } = start();
  log.info("one");
  log.child({ of: "a request" }).info("two");
  expect(written).toEqual([]);
  await new Promise(setImmediate);
  expect(written).toEqual(['{"level":30,"msg":"one"}\n{"level":30,"of":"a request","msg":"two"}\n']);
  log.info("three");
  await new Promise(setImmediate);
  expect(written.slice(1)).toEqual(['{"level":30,"msg":"three"}\n']);
});

test("a warning is written immediately, after the lines before it", () => {
  const { log, written } = start();
  log.info("one");
  log.child({}).warn("two");
  expect(written).toEqual(['{"level":30,"msg":"one"}\n{"level":40,"msg":"two"}\n']);
});

test("no line is lost if the process exits in the same turn", async () => {
  const { log, written, exit } = start();
  log.info("last words");
  exit.emit("exit");
  await new Promise(setImmediate);
  expect(written).toEqual(['{"level":30,"msg":"last words"}\n']);
});
