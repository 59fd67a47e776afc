import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { afterEach, beforeEach, expect, inject, test } from "vitest";
import { StartError } from "#server/start-error";
import { copyDataDir } from "#tests/support/data-dir";
import { silent } from "#tests/support/silent";
import { findPackage, prepareBinaries } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { type EmbeddedPostgres, embeddedConnection, startEmbedded } from "./embedded-postgres.ts";
import { ensureRunning } from "./ensure-running.ts";
import { findPostmaster, shutDown } from "./postmaster.ts";

const holder = fileURLToPath(new URL("../../../tests/support/hold-embedded.ts", import.meta.url));
const asRoot = test.runIf(process.getuid?.() === 0);

let dataDir: string;
let started: Pick<EmbeddedPostgres, "stop">[];
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "embedded-"));
  started = [];
  children = [];
});
afterEach(async () => {
  const steps = [
    ...started.map((embedded) => () => embedded.stop()),
    ...children.map((child) => async () => {
      if (await kill(child)) await (await start()).stop();
    }),
    () => rm(dataDir, { recursive: true }),
  ];
  // One that fails keeps no other from its turn.
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw new AggregateError(failures, "Not everything that the test started has ended.");
});

test("what was committed is there after a stop and a start", async () => {
  const first = await startCopy();
  await query("create table birds as select 'wren' as name");
  await first.stop();
  await expect(query("select")).rejects.toThrow(StartError);

  await start();
  expect(await query("select name from birds")).toEqual([{ name: "wren" }]);
});

test("it keeps what it confirms, whatever happens to the machine, and sorts alike everywhere", async () => {
  await startCopy();
  expect(
    await query("select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums"),
  ).toEqual([{ fsync: "on", checksums: "on" }]);
  expect(await query("select datlocprovider, datlocale from pg_database where datname = 'postgres'")).toEqual([
    { datlocprovider: "b", datlocale: "C.UTF-8" },
  ]);
});

test("only the owner of the files reads the password, without it nobody is let in, and nothing half-made stays", async () => {
  await start();
  expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres.log"]);
  expect((await stat(join(dataDir, "postgres", "owner.password"))).mode & 0o777).toBe(0o600);
  const stranger = new Client({ ...(await embeddedConnection(dataDir)), password: "postgres" });
  await expect(stranger.connect()).rejects.toMatchObject({ code: "28P01" });
});

test("after SIGKILL of the server, the next one adopts the PostgreSQL that still runs", async () => {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const server = await holdInChild();
  const pid = await postmasterPid();
  await kill(server);

  await start();
  expect(await postmasterPid()).toBe(pid);
});

test("a second copy is refused in one sentence, and the first goes on", async () => {
  await startCopy();
  await expect(startEmbedded({ dataDir, log: silent })).rejects.toThrow(
    new StartError(`Another copy of this site already runs on ${dataDir}.`),
  );
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("of two that start at once on an empty directory one runs and the other is refused", async () => {
  const both = await Promise.allSettled([start(), start()]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: expect.any(StartError) });
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("after SIGKILL PostgreSQL is started again with all that it had confirmed", async () => {
  await startCopy();
  await query("create table birds as select 'wren' as name");
  const pid = await postmasterPid();
  process.kill(pid, "SIGKILL");

  await until(() => query("select name from birds").then((rows) => rows.length === 1));
  expect(await postmasterPid()).not.toBe(pid);
  await onlyCopyRefused();
});

test("after SIGKILL of one of its processes PostgreSQL recovers by itself, and the lock is taken again", async () => {
  await startCopy();
  const [{ pid: victim = 0 } = {}] = await query(
    "select pid from pg_stat_activity where backend_type = 'checkpointer'",
  );
  const pid = await postmasterPid();
  process.kill(Number(victim), "SIGKILL");

  await until(async () => {
    const [holder] = await query("select from pg_locks where locktype = 'advisory' and granted");
    const [checkpointer] = await query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
    return holder !== undefined && checkpointer?.pid !== victim;
  });
  expect(await postmasterPid()).toBe(pid);
  await onlyCopyRefused();
});

test("a log that an operator removed costs no more than the log", async () => {
  await start();
  await rm(join(dataDir, "postgres.log"));
  process.kill(await postmasterPid(), "SIGKILL");
  await onlyCopyRefused();
});

test("a start that is killed halfway begins anew, without a word of why", async () => {
  const programs = await prepareBinaries(dataDir, findPackage());
  const cluster = await openCluster(dataDir, programs);
  const running = ensureRunning(cluster, programs);
  const stop = async () => {
    // Until then it may start another.
    await Promise.allSettled([running]);
    const postmaster = await findPostmaster(cluster);
    if (postmaster) await shutDown(cluster, programs, postmaster);
  };
  started.push({ stop });
  await until(async () => (await readFile(cluster.log, "utf8")).includes("starting PostgreSQL"));
  const killed = await postmasterPid();
  process.kill(killed, "SIGKILL");
  await running;
  // On a machine where it was up before the kill, this is the start that brings it back.
  await ensureRunning(cluster, programs);
  const postmaster = await findPostmaster(cluster);
  expect(postmaster?.pid).not.toBe(killed);
});

test.each([".s.PGSQL.5432.lock", "postmaster.pid"])(
  "an empty %s of a start that was killed is removed",
  async (name) => {
    await copyDataDir(inject("preparedDataDir"), dataDir);
    await writeFile(join(dataDir, "postgres", name), "");
    await start();
    expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
  },
);

test("a PostgreSQL that has just ended by itself needs no stop", async () => {
  const programs = await prepareBinaries(dataDir, findPackage());
  const cluster = await openCluster(dataDir, programs);
  // More than any system gives to a process.
  await shutDown(cluster, programs, { pid: 2 ** 30 });
});

test("a stop right after a SIGKILL of PostgreSQL leaves none running", async () => {
  const embedded = await startCopy();
  process.kill(await postmasterPid(), "SIGKILL");
  await embedded.stop();
  await expect(embeddedConnection(dataDir)).rejects.toThrow(StartError);
});

test("a process id that now belongs to another program does not keep PostgreSQL from starting", async () => {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  await writeFile(join(dataDir, "postgres", "postmaster.pid"), `${process.pid}\n${dataDir}/postgres\n1\n5432\n\n\n`);
  await start();
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("where the path is too long for a socket, it listens on loopback", async () => {
  const parent = dataDir;
  dataDir = join(parent, "d".repeat(110));
  const embedded = await startCopy();
  expect(embedded.connection.host).toBe("127.0.0.1");
  expect(await query("show listen_addresses")).toEqual([{ listen_addresses: "127.0.0.1" }]);
  await embedded.stop();
  dataDir = parent;
});

asRoot("root can start it in a directory that nobody else can enter", async () => {
  await chmod(dataDir, 0o700);
  await start();
  expect((await stat(join(dataDir, "postgres"))).uid).toBe(0);
});

asRoot("where root may not make a user namespace, a system user runs it", async () => {
  const bin = join(dataDir, "bin");
  await mkdir(bin);
  await symlink("/usr/bin/test", join(bin, "test"));
  await chmod(dataDir, 0o711);
  // The checkout may lie in a folder that only root can enter.
  const packageDir = join(dataDir, "package");
  await cp(findPackage(), packageDir, { recursive: true, verbatimSymlinks: true });
  const child = await holdInChild({ PATH: bin }, packageDir);

  expect((await stat(join(dataDir, "postgres"))).uid).not.toBe(0);
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
  child.kill("SIGTERM");
  await once(child, "close");
});

asRoot("where a system user cannot enter either, one sentence says what to do", async () => {
  await chmod(dataDir, 0o700);
  await expect(holdInChild({ PATH: dataDir })).rejects.toThrow(
    /PostgreSQL refuses to run as root, and .* DATABASE_URL\./,
  );
});

/** For tests that are not about how a cluster is made. */
async function startCopy(): Promise<EmbeddedPostgres> {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  return start();
}

async function start(): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({ dataDir, log: silent });
  started.push(embedded);
  return embedded;
}

/** A server of its own process; rejects with what it printed if it ends before it is ready. */
async function holdInChild(environment: Record<string, string> = {}, packageDir?: string): Promise<ChildProcess> {
  const args = [holder, dataDir, ...(packageDir ? [packageDir] : [])];
  const child = spawn(process.execPath, args, { env: { ...process.env, ...environment } });
  children.push(child);
  let printed = "";
  child.stderr.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "close").then(() => {
      throw new Error(printed);
    }),
  ]);
  return child;
}

/** Whether there was something to kill. */
async function kill(child: ChildProcess): Promise<boolean> {
  if (child.exitCode !== null || child.signalCode !== null) return false;
  child.kill("SIGKILL");
  await once(child, "close");
  return true;
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(await embeddedConnection(dataDir));
  client.on("error", () => {});
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}

/** The lock has been taken again: polled, because a restart and the lock are two moments. */
async function onlyCopyRefused() {
  await until(async () => (await query("select from pg_locks where locktype = 'advisory' and granted")).length === 1);
  await expect(startEmbedded({ dataDir, log: silent })).rejects.toThrow("Another copy");
}

/** Asks until the answer is yes; an error counts as not yet. */
async function until(isTrue: () => Promise<boolean>) {
  const deadline = Date.now() + 45_000;
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > deadline) throw new Error("Waited for forty-five seconds in vain.");
    await pause(20);
  }
}
