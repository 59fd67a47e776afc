import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { type AddressInfo, connect, createServer } from "node:net";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { createEmptyDatabase, hostedSchema } from "#tests/support/database";

test("the Supabase CLI pushes the migrations to a database with the schema of a hosted project", async () => {
  const database = await createEmptyDatabase();
  await database.owner.query(hostedSchema);
  // The CLI knows no Unix sockets, and the PostgreSQL of the tests listens on nothing else.
  const { host, port, user, password, database: name } = database.connection;
  const relay = createServer((socket) => {
    const target = connect(`${host}/.s.PGSQL.${port}`);
    for (const each of [socket, target]) each.on("error", () => {});
    socket.pipe(target).pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  const url = `postgres://${user}:${password}@127.0.0.1:${(relay.address() as AddressInfo).port}/${name}`;

  await promisify(execFile)("npx", ["--yes", "supabase@3", "db", "push", "--yes", `--remote=${url}?sslmode=disable`]);
  const { rows } = await database.owner.query("select version from supabase_migrations.schema_migrations order by 1");
  const files = readdirSync("supabase/migrations").filter((file) => file.endsWith(".sql"));
  expect(rows.map(({ version }) => version)).toEqual(files.sort().map((file) => file.split("_")[0]));
  relay.close();
});
