import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import { beforeEach, expect, inject, onTestFinished, test, vi } from "vitest";
import { StartError } from "#process/start-error";
import { copyDataDir } from "#tests/support/data-dir";
import { onFinished } from "#tests/support/on-finished";
import { withRareCases } from "#tests/support/rare-cases";
import { silentLog } from "#tests/support/silent-log";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { findPackage, prepareBinaries } from "./binaries.ts";
import { type EmbeddedPostgres, embeddedConnection, startEmbedded } from "./embedded-postgres.ts";

const holder = fileURLToPath(new URL("../../../tests/support/hold-embedded.ts", import.meta.url));
const rarely = test.runIf(withRareCases);
const rarelyAsRoot = test.runIf(withRareCases && process.getuid?.() === 0);

let dataDir: string;
beforeEach(async () => {
  dataDir = await temporaryFolder();
});

test("a new PostgreSQL uses fsync, data checksums and the built-in locale, and requires the password in a private file", async () => {
  // So that only root can enter it, if root runs the test.
  await chmod(dataDir, 0o700);
  await start();
  expect((await stat(join(dataDir, "postgres"))).uid).toBe(process.getuid?.() ?? 0);
  expect(
    await query("select current_setting('fsync') as fsync, current_setting('data_checksums') as checksums"),
  ).toEqual([{ fsync: "on", checksums: "on" }]);
  expect(await query("select datlocprovider, datlocale from pg_database where datname = 'postgres'")).toEqual([
    { datlocprovider: "b", datlocale: "C.UTF-8" },
  ]);
  expect((await readdir(dataDir)).sort()).toEqual(["postgres", "postgres.log"]);
  expect((await stat(join(dataDir, "postgres", "owner.password"))).mode & 0o777).toBe(0o600);
  const client = new Client({ ...(await embeddedConnection(dataDir)), password: "postgres" });
  await expect(client.connect()).rejects.toMatchObject({ code: "28P01" });
});

// The file system of terminals has no sockets; a folder of other users is refused for that reason.
test.runIf(process.platform === "linux")(
  "a data folder without sockets is refused before anything is made in it",
  async () => {
    const reason =
      process.getuid?.() === 0 ? /^PostgreSQL cannot make a socket in \/dev\/pts: .* in DATA_DIR\.$/ : "may not";
    await expect(startEmbedded({ dataDir: "/dev/pts", log: silentLog })).rejects.toThrow(reason);
    expect((await readdir("/dev/pts")).filter((name) => !/^(\d+|ptmx)$/.test(name))).toEqual([]);
  },
);

test("after SIGKILL of a server PostgreSQL ends by itself, and the next server starts at any moment of that", async () => {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const server = await holdInChild();
  await query("create table birds as select 'wren' as name");
  await kill(server);
  await until(async () => !(await readdir(join(dataDir, "postgres"))).includes("postmaster.pid"));

  await kill(await holdInChild());
  await start();
  await until(() => query("select name from birds").then((rows) => rows.length === 1));
  await expectLocked();
});

rarely("of two servers that start in one empty directory, one runs and one is refused", async () => {
  const both = await Promise.allSettled([start(), start()]);
  expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(both.find(({ status }) => status === "rejected")).toMatchObject({ reason: expect.any(StartError) });
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
});

test("after SIGKILL, PostgreSQL is restarted with all committed rows, even if its log file was removed", async () => {
  await startCopy();
  await query("create table birds as select 'wren' as name");
  await rm(join(dataDir, "postgres.log"));
  const pid = await postmasterPid();
  process.kill(pid, "SIGKILL");

  await until(() => query("select name from birds").then((rows) => rows.length === 1));
  expect(await postmasterPid()).not.toBe(pid);
  await expectLocked();
});

test("if PostgreSQL's checkpointer is killed, PostgreSQL recovers and our server gets its lock back", async () => {
  await startCopy();
  // Process id 0 would kill the whole test run, so the test waits until the checkpointer is listed.
  const victim = await vi.waitUntil(findCheckpointer, { timeout: 45_000 });
  const pid = await postmasterPid();
  process.kill(victim, "SIGKILL");

  await until(async () => {
    const [holder] = await query("select from pg_locks where locktype = 'advisory' and granted");
    return holder !== undefined && (await findCheckpointer()) !== victim;
  });
  expect(await postmasterPid()).toBe(pid);
  await expectLocked();
});

test("a PostgreSQL killed during its start is started again without an error", async () => {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const starting = start();
  await until(async () => (await readFile(join(dataDir, "postgres.log"), "utf8")).includes("starting PostgreSQL"));
  const killed = await postmasterPid();
  process.kill(killed, "SIGKILL");
  await starting;
  await until(() => query("select 1 as one").then((rows) => rows.length === 1));
  expect(await postmasterPid()).not.toBe(killed);
});

rarely("empty lock files, left by a killed PostgreSQL, do not block the next start", async () => {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  for (const name of [".s.PGSQL.5432.lock", "postmaster.pid"]) await writeFile(join(dataDir, "postgres", name), "");
  await start();
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
});

rarely("a start puts a large log of PostgreSQL aside, and replaces the one before", async () => {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  const log = join(dataDir, "postgres.log");
  await writeFile(`${log}.old`, "old");
  await writeFile(log, "");
  await truncate(log, 11 * 1024 * 1024);
  await start();
  expect((await stat(`${log}.old`)).size).toBe(11 * 1024 * 1024);
  expect((await stat(log)).size).toBeLessThan(1024 * 1024);
});

// The stopped process acts like one that hangs in the kernel on a broken disk. A fast shutdown waits for it.
test("a stop kills a PostgreSQL that hangs", async () => {
  const embedded = await startCopy();
  const client = new Client(await embeddedConnection(dataDir));
  client.on("error", () => {});
  await client.connect();
  const { rows } = await client.query("select pg_backend_pid() as pid");
  process.kill(rows[0].pid, "SIGSTOP");
  onTestFinished(() => void process.kill(rows[0].pid, "SIGKILL"));
  await embedded.stop();
  await expect(embeddedConnection(dataDir)).rejects.toThrow(StartError);
});

test("a stop right after SIGKILL of PostgreSQL leaves no restarted PostgreSQL running", async () => {
  const embedded = await startCopy();
  process.kill(await postmasterPid(), "SIGKILL");
  await embedded.stop();
  await expect(embeddedConnection(dataDir)).rejects.toThrow(StartError);
});

// macOS has no /proc; its way to look at a process works on Linux, too.
test.each([process.platform, ...(withRareCases && process.platform === "linux" ? ["darwin"] : [])])(
  "on %s a postmaster.pid with another program's process id does not block the start",
  async (value) => {
    await copyDataDir(inject("preparedDataDir"), dataDir);
    // PostgreSQL itself passes over the id of its parent, which would be this process.
    for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"])
      await writeFile(join(dataDir, "postgres", name), `${process.ppid}\n${dataDir}/postgres\n1\n5432\n\n\n`);
    const packageDir = findPackage();
    const { platform } = process;
    onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
    Object.defineProperty(process, "platform", { value });
    const embedded = await startEmbedded({ dataDir, log: silentLog, packageDir });
    onFinished(() => embedded.stop());
    expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
    await embedded.stop();
    expect(await readdir(join(dataDir, "postgres"))).not.toContain("postmaster.pid");
  },
);

test.runIf(process.platform === "linux")(
  "a postmaster.pid with the process id of another site's PostgreSQL does not block the start",
  async () => {
    await copyDataDir(inject("preparedDataDir"), dataDir);
    const otherDir = await temporaryFolder();
    await copyDataDir(inject("preparedDataDir"), otherDir);
    const other = await startEmbedded({ dataDir: otherDir, log: silentLog });
    onFinished(() => other.stop());
    await cp(join(otherDir, "postgres", "postmaster.pid"), join(dataDir, "postgres", "postmaster.pid"));
    await start();
    expect(await query("select current_setting('data_directory') as folder")).toEqual([
      { folder: join(dataDir, "postgres") },
    ]);
  },
);

// As with two containers that share a volume.
test.runIf(process.platform === "linux" && process.getuid?.() === 0)(
  "a server is refused, and a command connects, while a server runs whose processes are hidden",
  async () => {
    await copyDataDir(inject("preparedDataDir"), dataDir);
    await holdInChild({}, findPackage(), ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]);
    const lockFile = await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8");
    await expectLocked();
    expect(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8")).toBe(lockFile);
  },
);

test("on Windows, a PostgreSQL in a folder with an umlaut is refused with a reason", async () => {
  const { platform } = process;
  onTestFinished(() => void Object.defineProperty(process, "platform", { value: platform }));
  Object.defineProperty(process, "platform", { value: "win32" });
  const packageDir = join(dataDir, "Jürgen");
  await expect(prepareBinaries(dataDir, packageDir)).rejects.toThrow(packageDir);
});

test("a path that is too long for a socket is refused in a sentence", async () => {
  await expect(startEmbedded({ dataDir: join(dataDir, "d".repeat(110)), log: silentLog })).rejects.toThrow(
    /^PostgreSQL cannot make a socket in .*: the path is too long, .* in DATA_DIR\.$/,
  );
});

rarelyAsRoot("root without user namespaces runs PostgreSQL as a system user", async () => {
  const bin = join(dataDir, "bin");
  await mkdir(bin);
  await symlink("/usr/bin/test", join(bin, "test"));
  await chmod(dataDir, 0o711);
  // The package is copied, because the checkout may lie in a folder that only root can enter.
  const packageDir = join(dataDir, "package");
  await cp(findPackage(), packageDir, { recursive: true, verbatimSymlinks: true });
  const child = await holdInChild({ PATH: bin }, packageDir);

  expect((await stat(join(dataDir, "postgres"))).uid).not.toBe(0);
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
  child.kill("SIGTERM");
  await once(child, "close");
});

rarelyAsRoot("if root has no user namespaces and no usable system user, the error names DATABASE_URL", async () => {
  await chmod(dataDir, 0o700);
  await expect(holdInChild({ PATH: dataDir })).rejects.toThrow(
    /PostgreSQL refuses to run as root, and .* DATABASE_URL\./,
  );
});

/** Starts PostgreSQL on a copy of a prepared data directory, which is faster than creating a new one. */
async function startCopy(): Promise<EmbeddedPostgres> {
  await copyDataDir(inject("preparedDataDir"), dataDir);
  return start();
}

async function start(): Promise<EmbeddedPostgres> {
  const embedded = await startEmbedded({ dataDir, log: silentLog });
  onFinished(() => embedded.stop());
  return embedded;
}

/**
 * Starts a server in a process of its own. If the process ends before the server is ready, rejects with its error
 * output.
 */
async function holdInChild(
  environment: Record<string, string> = {},
  packageDir?: string,
  prefix: readonly string[] = [],
): Promise<ChildProcess> {
  const [program = "", ...args] = [...prefix, process.execPath, holder, dataDir, ...(packageDir ? [packageDir] : [])];
  const child = spawn(program, args, { env: { ...process.env, ...environment } });
  onFinished(async () => {
    if (await kill(child)) await (await startEmbedded({ dataDir, log: silentLog })).stop();
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk;
  });
  await Promise.race([
    once(child.stdout, "data"),
    once(child, "close").then(() => {
      throw new Error(stderr);
    }),
  ]);
  return child;
}

/** Kills the process, and resolves with whether it was still running. */
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

async function findCheckpointer(): Promise<number | undefined> {
  const [found] = await query("select pid from pg_stat_activity where backend_type = 'checkpointer'");
  return found && Number(found.pid);
}

async function postmasterPid(): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, "postgres", "postmaster.pid"), "utf8"), 10);
}

/**
 * Expects that a second server is refused. First waits until the lock is taken: after a restart of PostgreSQL this
 * takes some time.
 */
async function expectLocked() {
  await until(async () => (await query("select from pg_locks where locktype = 'advisory' and granted")).length === 1);
  await expect(startEmbedded({ dataDir, log: silentLog })).rejects.toThrow(
    new StartError(`Another copy of this site is already running on ${dataDir}.`),
  );
  expect(await query("select 1 as one")).toEqual([{ one: 1 }]);
}

/** Polls until the condition is true; an error counts as false. */
async function until(isTrue: () => Promise<boolean>) {
  const deadline = Date.now() + 45_000;
  while (!(await isTrue().catch(() => false))) {
    if (Date.now() > deadline) throw new Error("The condition was not met in 45 seconds.");
    await pause(20);
  }
}
