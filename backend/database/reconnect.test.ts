import { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { type Script, startFakePostgres } from "#tests/support/fake-postgres";
import { silentLog } from "#tests/support/silent-log";
import { asCaller, queryAsCaller } from "./as-caller.ts";
import { connect } from "./connections.ts";
import { classifyDatabaseError } from "./errors.ts";
import { repeatable, stopWaiting } from "./reconnect.ts";
import { inTransaction } from "./transaction.ts";

test("a transaction waits while PostgreSQL starts up", async () => {
  const { owner } = await start([{ isStarting: true }, { isStarting: true }, {}]);
  await expect(inTransaction(owner, async () => "done")).resolves.toBe("done");
});

test.each<[string, Script]>([
  ["right after its login", { endsAfter: "login" }],
  ["at begin", { endsAt: /^begin/ }],
  ["after begin", { endsAfter: /^begin/ }],
  ["while the caller's settings are set", { endsAt: /set_config/ }],
])("a connection that ends %s is replaced, and the transaction's work runs once", async (_moment, script) => {
  const { caller } = await start([script, {}]);
  let times = 0;
  const work = async () => {
    times += 1;
    return "done";
  };
  await expect(asCaller(caller, { role: "anon" }, work)).resolves.toBe("done");
  expect(times).toBe(1);
});

test.each<[string, Script]>([
  ["right after its login", { endsAfter: "login" }],
  ["while the caller's settings are set", { endsAt: /set_config/ }],
  ["at the statement", { endsAt: /^insert/ }],
  ["after the statement", { endsAfter: /^insert/ }],
])("a caller's repeatable statement is repeated if its connection ends %s", async (_moment, script) => {
  const { caller, statements } = await start([script, {}]);
  const insert = { text: "insert into birds values (1)" };
  const result = await queryAsCaller(caller, { role: "anon" }, insert);
  expect(result.command).toBe("INSERT");
  // Before them there is the statement that checks the new connection.
  expect(statements.at(-1)?.map((sql) => sql.trim().slice(0, 6))).toEqual([
    "select",
    "begin",
    "select",
    "insert",
    "commit",
  ]);
});

test("a caller's repeatable statement that crashes PostgreSQL runs at most three times", async () => {
  const { caller, statements } = await start([{ endsAt: /^select explode/ }]);
  const query = queryAsCaller(caller, { role: "anon" }, { text: "select explode()" });
  await expect(query).rejects.toMatchObject({ code: "57P01" });
  expect(statements.flat().filter((sql) => sql.startsWith("select explode"))).toHaveLength(3);
});

test("a transaction whose work has begun is not repeated after a lost connection", async () => {
  const { owner, statements } = await start([{ endsAt: /^insert/ }, {}]);
  const insert = inTransaction(owner, (db) => db.query("insert into birds values (1)"));
  await expect(insert).rejects.toMatchObject({ code: "57P01" });
  expect(statements.flat().filter((sql) => sql.startsWith("insert"))).toHaveLength(1);
});

test("a repeatable statement waits for PostgreSQL and survives a lost connection", async () => {
  const { owner } = await start([{ isStarting: true }, { endsAt: /./ }, {}]);
  await expect(repeatable(owner).query("select $1", [1])).resolves.toMatchObject({ command: "SELECT" });
});

test("a repeatable statement waits behind a pooler that lets clients in while PostgreSQL is away", async () => {
  const isAway: Script = { endsAt: /./ };
  const { owner, statements } = await start([isAway, isAway, isAway, isAway, isAway, {}]);
  await expect(repeatable(owner).query("select $1", [1])).resolves.toMatchObject({ command: "SELECT" });
  expect(statements.flat().filter((sql) => sql === "select $1")).toHaveLength(2);
});

test("transactions that wait for PostgreSQL share one check whether PostgreSQL is ready", async () => {
  const { owner, statements } = await start([{ isStarting: true }]);
  owner.options.connectionTimeoutMillis = 2000;
  const waits = await Promise.allSettled(Array.from({ length: 100 }, () => inTransaction(owner, async () => {})));
  expect(waits.filter(({ status }) => status === "rejected")).toHaveLength(100);
  // Each request opens one connection for its first attempt. The shared checks open ten connections per second, so at
  // most twenty within the time limit of two seconds.
  expect(statements.length).toBeLessThan(100 + 40);
});

test("a request that comes while others wait for PostgreSQL makes no attempt of its own", async () => {
  const { owner, statements } = await start([{ isStarting: true }]);
  owner.options.connectionTimeoutMillis = 1000;
  const first = inTransaction(owner, async () => {});
  await expect.poll(() => statements.length).toBeGreaterThan(1);
  const others = Array.from({ length: 100 }, () => inTransaction(owner, async () => {}));
  await expect(first).rejects.toMatchObject({ code: "57P03" });
  for (const { reason } of (await Promise.allSettled(others)) as PromiseRejectedResult[])
    expect(classifyDatabaseError(reason)).toBe("broken");
  // The first attempt, and ten checks in a second.
  expect(statements.length).toBeLessThan(20);
});

test("a connection to a standby is replaced, because another may lead to the primary", async () => {
  const { owner, statements } = await start([{ isStandby: true }, { isStandby: true }, {}], { isOwn: true });
  await expect(inTransaction(owner, async () => "done")).resolves.toBe("done");
  expect(statements.map((ofConnection) => ofConnection.includes("begin"))).toEqual([false, false, true]);
});

test("work that finds only standbys fails with a sentence about it", async () => {
  const { owner } = await start([{ isStandby: true }], { isOwn: true });
  owner.options.connectionTimeoutMillis = 500;
  await expect(inTransaction(owner, async () => {})).rejects.toThrow("The database is read-only: it may be a replica");
});

test("work that waits too long for PostgreSQL fails with PostgreSQL's own error", async () => {
  const { owner, caller } = await start([{ isStarting: true }]);
  for (const pool of [owner, caller]) pool.options.connectionTimeoutMillis = 1000;
  await expect(inTransaction(owner, async () => {})).rejects.toMatchObject({ code: "57P03" });
  const query = queryAsCaller(caller, { role: "anon" }, { text: "select 1" });
  await expect(query).rejects.toMatchObject({ code: "57P03" });
});

test("the waits for PostgreSQL end when the server stops", async () => {
  const { owner } = await start([{ isStarting: true }]);
  owner.options.connectionTimeoutMillis = 10 * 60 * 1000;
  const waiting = inTransaction(owner, async () => {});
  setImmediate(() => stopWaiting(owner));
  await expect(waiting).rejects.toMatchObject({ code: "57P03" });
});

test("a transaction on a closed connection pool fails without waiting", async () => {
  const pool = new Pool({ host: "127.0.0.1", port: 1, connectionTimeoutMillis: 10 * 60 * 1000 });
  await pool.end();
  await expect(inTransaction(pool, async () => {})).rejects.toThrow("after calling end");
});

/** With `isOwn` it is a PostgreSQL of DATABASE_URL. */
async function start(scripts: readonly Script[], { isOwn = false } = {}) {
  const postgres = await startFakePostgres(scripts);
  const url = `postgres://owner:secret@127.0.0.1:${postgres.port}/site`;
  const connections = connect(isOwn ? url : postgres.connection, silentLog);
  onTestFinished(connections.close);
  return { ...connections, statements: postgres.statements };
}
