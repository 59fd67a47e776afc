import { expect, test } from "vitest";
import { createDatabase } from "../../tests/support/database.ts";
import { silentLog } from "../../tests/support/silent-log.ts";
import { connect } from "./connections.ts";
import { classifyDatabaseError } from "./errors.ts";
import { inTransaction } from "./transaction.ts";

const database = await createDatabase();
const { owner } = database;
await owner.query("create table birds (name text)");

test("an error inside a transaction rolls the transaction back and reaches the caller", async () => {
  const work = inTransaction(owner, async (db) => {
    await db.query("insert into birds values ('wren')");
    throw new Error("no more birds");
  });
  await expect(work).rejects.toThrow("no more birds");
  expect((await owner.query("select from birds")).rowCount).toBe(0);
});

test("a transaction whose code ignores a failed statement still fails", async () => {
  const work = inTransaction(owner, async (db) => {
    await db.query("insert into birds values ('wren')");
    await db.query("select 1 / 0").catch(() => {});
  });
  await expect(work).rejects.toThrow("rolled back");
  expect((await owner.query("select from birds")).rowCount).toBe(0);
});

test("if a connection is lost between two statements, only its transaction fails", async () => {
  const work = inTransaction(owner, async (db) => {
    const { rows } = await db.query("select pg_backend_pid() as pid");
    const broken = new Promise((resolve) => db.once("end", () => resolve(undefined)));
    await owner.query("select pg_terminate_backend($1)", [rows[0].pid]);
    await broken;
    await db.query("select 1");
  });
  await expect(work).rejects.toThrow(/Connection terminated|connection error|not queryable|terminating connection/);
  expect(await inTransaction(owner, async (db) => (await db.query("select 1 as one")).rows)).toEqual([{ one: 1 }]);
});

test("a statement that PostgreSQL does not answer times out, and its connection is closed", async () => {
  const { owner, close } = connect(database.connection, silentLog);
  owner.options.query_timeout = 200;
  const unanswered = await inTransaction(owner, (db) => db.query("select pg_sleep(60)")).catch((error) => error);
  expect(classifyDatabaseError(unanswered)).toBe("busy");
  expect(owner.totalCount).toBe(0);
  await inTransaction(owner, (db) => db.query("select"));
  await close();
});
