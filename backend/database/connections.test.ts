import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Pool } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { createDatabase, visitor } from "#tests/support/database";
import { type Script, startFakePostgres } from "#tests/support/fake-postgres";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { silentLog } from "#tests/support/silent-log";
import { asCaller, queryAsCaller } from "./as-caller.ts";
import { connect } from "./connections.ts";

const useConnections = fileURLToPath(new URL("../../tests/support/use-connections.ts", import.meta.url));

test("if PostgreSQL closes connections at any moment, the Node.js process keeps running", async () => {
  const scripts: Script[] = [
    { endsAfter: "login" },
    // Between two statements, after the last statement, and during a statement.
    { endsAfter: /^begin/ },
    { endsAfter: /^(select|commit)/ },
    { endsAt: /./ },
  ];
  const servers = await Promise.all(scripts.map((script) => startFakePostgres([script])));
  const ports = servers.map(({ port }) => String(port));
  const child = spawn(process.execPath, [useConnections, ...ports], { timeout: 30_000 });
  const ended = new Promise((resolve) => child.on("close", resolve));
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  expect([code, stderr, stdout]).toEqual([0, "", "used\n".repeat(6 * scripts.length)]);
});

test("if PostgreSQL has fewer connections than the pools may hold, requests wait for one, also for those of another pool", async () => {
  const database = await createDatabase();
  const other = connect(database.connection, silentLog);
  onTestFinished(async () => {
    await other.close();
  });
  const { pathname } = new URL(database.url);
  await database.owner.query(`alter database ${pathname.slice(1)} connection limit 4`);
  const askAtOnce = (pool: Pool, count: number) => {
    const sleep = { text: "select pg_sleep(0.05)" };
    return Promise.all(
      Array.from({ length: count }, (_, n) =>
        n % 2 === 0 ? queryAsCaller(pool, visitor, sleep) : asCaller(pool, visitor, (db) => db.query(sleep)),
      ),
    );
  };
  expect(await askAtOnce(database.caller, 20)).toHaveLength(20);
  expect(database.caller.totalCount).toBeLessThan(5);
  expect(await askAtOnce(other.caller, 20)).toHaveLength(20);
});

// Any program of the machine may listen at the port of a PostgreSQL that has ended.
test.each([
  ["itself", "520000000800000003"],
  ["as MD5", "520000000c0000000573616c74"],
])("a server that asks for the password %s does not get it", async (_how, request) => {
  const received: string[] = [];
  const server = createServer((socket) => {
    socket.once("data", () => {
      socket.on("data", (chunk) => received.push(String(chunk))).write(Buffer.from(request, "hex"));
    });
  });
  const port = await listenOnLoopback(server);

  const { owner, close } = connect(`postgres://owner:secret@127.0.0.1:${port}/site`, silentLog);
  await expect(owner.query("select")).rejects.toThrow(/^it asks for the password in a form .* scram-sha-256/);
  await close();
  expect(received).toEqual([]);
});
