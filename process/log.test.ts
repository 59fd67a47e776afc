import { DatabaseError } from "pg";
import { expect, test } from "vitest";
import { createLog } from "./log.ts";
import { StartError } from "./start-error.ts";

function start(logLevel?: string, isTTY = false) {
  let written = "";
  const log = createLog({
    logLevel,
    output: {
      isTTY,
      write: (text) => {
        written += text;
      },
    },
  });
  return { log, written: () => written };
}

test("an error of PostgreSQL is logged without the row, the statement and the value that it quotes", () => {
  const { log, written } = start();
  const refused = new DatabaseError('invalid input syntax for type uuid: "Ada "the" Heron"', 0, "error");
  const values = {
    detail: "Key (email)=(Ada)",
    where: "SQL statement 'Ada'",
    internalQuery: "select 'Ada'",
    hint: "Ada",
  };
  Object.assign(refused, values, { code: "22P02", table: "contacts" });
  log.error({ err: refused }, "A request failed.");
  log.error({ requestId: "r", err: new Error("It failed.", { cause: refused }) }, "A request failed.");
  log.warn({ err: refused }, "It goes on.");
  expect(written()).not.toMatch(/Ada|Heron/);
  const lines = written()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const message = 'invalid input syntax for type uuid: "(hidden)"';
  expect(lines).toMatchObject([
    { msg: "A request failed.", err: { type: "DatabaseError", message, code: "22P02", table: "contacts" } },
    { msg: "A request failed.", requestId: "r", err: { message: `It failed.: ${message}` } },
    { msg: "It goes on.", err: { message, stack: expect.stringContaining("log.test.ts") } },
  ]);
});

test("email addresses in the words of others are hidden, and the line stays JSON", () => {
  const { log, written } = start();
  const reason = `550 <ada.o'heron+x@mail.example.com>: unknown; "grace@xn--bcher-kva.example" to ü@bücher.example, ada@localhost`;
  log.child({ requestId: "r" }).warn({ reason }, "A job failed: ada@example.com\nada@example.com");
  expect(JSON.parse(written())).toMatchObject({
    reason: '550 <(address)>: unknown; "(address)" to (address), (address)',
    msg: "A job failed: (address)\n(address)",
  });
  log.warn("at node_modules/@fastify/formbody/index.js:1:2");
  expect(written()).toContain("node_modules/@fastify/formbody");
});

test("at a terminal a line is a sentence, what is known besides, and the stack of a bug", () => {
  const { log, written } = start(undefined, true);
  log.warn({ job: "7", reason: "No \u009b2J: ada@example.com" }, "A job \u001b[2Jfailed.");
  log.error({ err: new StartError("No owl.", new Error("ENOENT")) }, "The backup failed.");
  log.error(new TypeError("No feather"));
  expect(written().replace(/\d\d:\d\d:\d\d/g, "12:00:00")).toMatch(
    /^12:00:00 A job \\u001b\[2Jfailed\. job: "7", reason: "No \\u009b2J: \(address\)"\n12:00:00 The backup failed\. err: "No owl\..*"\n12:00:00 No feather\nTypeError: No feather\n {4}at .*log\.test\.ts/,
  );
});

test("the level is that of LOG_LEVEL, or that of the output", () => {
  expect(start().log.level).toBe("info");
  expect(start("trace").log.level).toBe("trace");
  expect(createLog({ logLevel: undefined, output: { write() {}, isTTY: true } }).level).toBe("warn");
});
