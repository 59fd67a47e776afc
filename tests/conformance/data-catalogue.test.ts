import pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createCatalogue } from "#backend/data-api/catalogue";
import { refusals } from "#backend/data-api/refusals";
import { createFixtureTables } from "#tests/fixtures/fixture-tables";
import { createDatabase } from "#tests/support/database";

const database = await createDatabase();
await createFixtureTables(database.owner);
afterAll(() => database.drop());

const findTable = (catalogue: ReturnType<typeof createCatalogue>, name: string) =>
  catalogue((snapshot) => {
    const table = snapshot.tables.find((each) => each.name === name);
    if (!table) throw refusals.unknownTable(name);
    return table;
  });

test("a request for an unknown table reloads the schema catalogue at most every 5 seconds", async () => {
  let time = 0;
  const catalogue = createCatalogue(database.caller, () => time);
  await findTable(catalogue, "birds");
  await database.owner.query("create table public.nests (id integer primary key)");

  time = 4999;
  await expect(findTable(catalogue, "nests")).rejects.toMatchObject({ code: "PGRST205" });
  time = 5000;
  expect(await findTable(catalogue, "nests")).toMatchObject({ name: "nests" });
  await database.owner.query("drop table public.nests");
});

test("after a failed load, the next request loads the schema catalogue again", async () => {
  const pool = new pg.Pool({ ...database.connection, host: "127.0.0.1", port: 1, connectionTimeoutMillis: 500 });
  const catalogue = createCatalogue(pool);
  await expect(findTable(catalogue, "birds")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  Object.assign(pool.options, { host: database.connection.host, port: database.connection.port });
  expect(await findTable(catalogue, "birds")).toMatchObject({ name: "birds" });
  await pool.end();
});
