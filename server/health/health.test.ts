import { execFileSync } from "node:child_process";
import { chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Fastify from "fastify";
import pg from "pg";
import { expect, onTestFinished, test, vi } from "vitest";
import { connect } from "#backend/database/connections";
import { createDatabase, createEmptyDatabase } from "#tests/support/database";
import { listenOnLoopback } from "#tests/support/listen-on-loopback";
import { withRareCases } from "#tests/support/rare-cases";
import { silentLog } from "#tests/support/silent-log";
import { type HealthOptions, healthRoutes } from "./health-routes.ts";
import { watchReadiness } from "./readiness.ts";

const database = await createDatabase();

const allOk = { database: "ok", migrations: "ok", queue: "ok" };

/** What `/readyz` answers: status, status in words, and the checks. */
async function ready(options: Partial<HealthOptions> = {}) {
  const app = serve(options);
  const answer = await app.inject("/readyz");
  await app.close();
  const { status, checks } = answer.json();
  expect(answer.headers["retry-after"]).toBe(answer.statusCode === 503 ? "1" : undefined);
  return [answer.statusCode, status, checks];
}

function serve(options: Partial<HealthOptions> = {}, trustProxy: string[] | false = false) {
  const app = Fastify({ trustProxy });
  onTestFinished(() => app.close());
  app.register(healthRoutes, {
    siteUrl: "https://site.example",
    owner: database.owner,
    queueRuns: () => true,
    isStopping: () => false,
    ...options,
  });
  return app;
}

test("a server is ready with a migrated database and a queue that runs; with a hosted project it needs neither", async () => {
  expect(await ready()).toEqual([200, "ready", allOk]);
  expect(await ready({ owner: undefined, queueRuns: () => false })).toEqual([200, "ready", {}]);
});

test("a stop, a queue that does not run and a database that can only be read make a server not ready", async () => {
  expect(await ready({ isStopping: () => true })).toEqual([503, "not ready", { server: "stopping" }]);
  expect(await ready({ queueRuns: () => false })).toEqual([503, "not ready", { ...allOk, queue: "stopped" }]);
  const { pathname } = new URL(database.url);
  await database.owner.query(`alter database ${pathname.slice(1)} set default_transaction_read_only = on`);
  expect(await ready()).toEqual([503, "not ready", { ...allOk, database: "read only" }]);
  await database.owner.query(
    `begin read write; alter database ${pathname.slice(1)} reset default_transaction_read_only; commit`,
  );
});

test.runIf(withRareCases && process.getuid?.() === 0)(
  "a disk that is full makes a server not ready until it has room again",
  async () => {
    const full = await createDatabase();
    const { owner, connection } = full;
    const disk = await mkdtemp(join(tmpdir(), "small-disk-"));
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k,mode=777", "tmpfs", disk]);
    const tablespace = `small_${process.pid}`;
    onTestFinished(async () => {
      await full.drop();
      await database.owner.query(`drop tablespace if exists ${tablespace}`);
      execFileSync("umount", [disk]);
      await rm(disk, { recursive: true });
    });
    const { rows } = await owner.query("select current_setting('data_directory') as data");
    const { uid, gid } = await stat(rows[0].data);
    await chown(disk, uid, gid);
    await owner.query(`create tablespace ${tablespace} location '${disk}'`);
    await owner.query(`alter database ${connection.database} set temp_tablespaces = ${tablespace}`);
    expect(await ready({ owner })).toEqual([200, "ready", allOk]);

    const filling = join(disk, "filling");
    await expect(writeFile(filling, Buffer.alloc(300 * 1024))).rejects.toMatchObject({ code: "ENOSPC" });
    const answer = { database: "disk full", migrations: "unknown", queue: "unknown" };
    expect(await ready({ owner })).toEqual([503, "not ready", answer]);
    await rm(filling);
    expect(await ready({ owner })).toEqual([200, "ready", allOk]);
  },
);

test("jobs that are due for long make a server degraded; jobs that gave up, wait or run do not", async () => {
  const add = (set: string) =>
    database.owner.query(
      `insert into private.jobs (task, payload, attempts_max, attempts, lane, run_at, leased_by, leased_until) ${set}`,
    );
  await add(`values ('x', '{}', 1, 1, 'mail', now() - interval '1 hour', null, null),
    ('x', '{}', 9, 1, 'mail', now() + interval '1 hour', null, null),
    ('x', '{}', 9, 1, 'digest', now() - interval '1 hour', null, null),
    ('x', '{}', 9, 1, 'mail', now() - interval '1 hour', gen_random_uuid(), now() + interval '1 minute')`);
  expect(await ready()).toEqual([200, "ready", allOk]);
  await add("values ('x', '{}', 9, 1, 'webhook', now() - interval '1 hour', null, null)");
  expect(await ready()).toEqual([200, "degraded", { ...allOk, queue: "delayed" }]);
  await database.owner.query("truncate private.jobs");
});

test("a newer database makes a server degraded; one without a migration, or without tables, not ready", async () => {
  const changed = await createDatabase();
  const { owner } = changed;
  await owner.query("insert into supabase_migrations.server_migrations values ('9999', 'tomorrow')");
  expect(await ready({ owner })).toEqual([200, "degraded", { ...allOk, migrations: "newer" }]);
  await owner.query(
    "delete from supabase_migrations.schema_migrations where version = (select max(version) from supabase_migrations.schema_migrations)",
  );
  expect(await ready({ owner })).toEqual([503, "not ready", { ...allOk, migrations: "missing" }]);
  const empty = await createEmptyDatabase();
  const answer = [503, "not ready", { database: "ok", migrations: "missing", queue: "unknown" }];
  expect(await ready({ owner: empty.owner })).toEqual(answer);
});

test("a database that hangs and one that is gone make a server not ready, and each asker gets an answer", async () => {
  const away = [503, "not ready", { database: "away", migrations: "unknown", queue: "unknown" }];
  const sockets: Socket[] = [];
  const hanging = createServer((socket) => void sockets.push(socket));
  const port = await listenOnLoopback(hanging);
  const { owner, close } = connect(`postgres://owner:secret@127.0.0.1:${port}/site`, silentLog);
  const app = serve({ owner });
  const answers = await Promise.all(Array.from({ length: 20 }, () => app.inject("/readyz")));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(20).fill(503));
  expect(sockets).toHaveLength(1);
  for (const socket of sockets) socket.destroy();
  hanging.close();
  expect(await ready({ owner })).toEqual(away);
  await close();
});

test("the database is asked once in a second, however many ask", async () => {
  const asked = vi.spyOn(pg.Pool.prototype, "query");
  onTestFinished(() => asked.mockRestore());
  const count = () => asked.mock.calls.filter(([sql]) => String(sql).includes("is_read_only")).length;
  let now = 0;
  let runs = false;
  const { check, close } = watchReadiness(
    database.owner,
    () => runs,
    () => now,
  );
  onTestFinished(close);
  expect(await Promise.all([check(), check()])).toMatchObject(Array(2).fill({ database: "ok", queue: "stopped" }));
  runs = true;
  now = 999;
  expect(await check()).toEqual(allOk);
  expect(count()).toBe(1);
  now = 1000;
  await Promise.all([check(), check()]);
  expect(count()).toBe(2);
  // The second asker waits for the answer that the first one waits for, however long that takes.
  now = 2000;
  const first = check();
  now = 9000;
  await Promise.all([first, check()]);
  expect(count()).toBe(3);
});

test("/healthz names the process, the proxy and the host, needs no key, and answers HEAD", async () => {
  const proxyOf = async (trustProxy: string[] | false, headers: Record<string, string>) =>
    (await serve({}, trustProxy).inject({ url: "/healthz", headers })).json();
  const forwarded = { "x-forwarded-for": "203.0.113.9" };
  const answer = { status: "ok", instance: expect.stringMatching(/^[0-9a-f]{16}$/), host: "other" };
  expect(await proxyOf(["127.0.0.1"], {})).toEqual({ ...answer, proxy: "none" });
  expect(await proxyOf(["127.0.0.1"], forwarded)).toEqual({ ...answer, proxy: "trusted" });
  expect(await proxyOf(["192.0.2.1"], forwarded)).toEqual({ ...answer, proxy: "unknown" });
  expect(await proxyOf(false, forwarded)).toEqual({ ...answer, proxy: "unknown" });
  const edge = "198.51.100.1";
  const behind = (headers: Record<string, string>) => proxyOf(["127.0.0.1"], { "x-forwarded-for": edge, ...headers });
  for (const header of ["cf-connecting-ip", "true-client-ip", "fastly-client-ip", "x-real-ip"]) {
    expect(await behind({ [header]: "203.0.113.9" })).toEqual({ ...answer, proxy: "behind another" });
    expect(await behind({ [header]: edge })).toEqual({ ...answer, proxy: "trusted" });
  }
  const chain = { "x-forwarded-for": `203.0.113.9, ${edge}`, "cf-connecting-ip": "203.0.113.9" };
  expect(await behind(chain)).toEqual({ ...answer, proxy: "behind another" });
  expect(await proxyOf(["127.0.0.1", edge], chain)).toEqual({ ...answer, proxy: "trusted" });
  for (const host of ["site.example", "SITE.example:443"])
    expect(await proxyOf(false, { host })).toEqual({ ...answer, proxy: "none", host: "site" });
  const head = await serve().inject({ method: "HEAD", url: "/healthz" });
  expect([head.statusCode, head.body]).toEqual([200, ""]);
});
