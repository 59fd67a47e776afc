import { expect, test } from "vitest";
import { createDatabase } from "#tests/support/database";
import { Client, DirectClient } from "./client.ts";

const database = await createDatabase();

test.each([
  ["a connection behind which a pooler may stand prepares no statement under a name", Client, []],
  ["a direct connection prepares a statement that has a name", DirectClient, [{ name: "sum" }]],
])("%s", async (_name, Kind, prepared) => {
  const client = new Kind(database.connection);
  await client.connect();
  const { rows } = await client.query({ name: "sum", text: "select $1::integer + 1 as sum", values: [1] });
  expect(rows).toEqual([{ sum: 2 }]);
  expect((await client.query("select name from pg_prepared_statements")).rows).toEqual(prepared);
  await client.end();
});
