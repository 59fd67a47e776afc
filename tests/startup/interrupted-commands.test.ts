import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, inject, test, vi } from "vitest";
import { copyDataDir } from "#tests/support/data-dir";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { endLeftoverProcesses, isAlive } from "../../scripts/leftover-processes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
const timeout = 60_000;
let folder: string;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  dataDir = await mkdtemp(join(folder, "data-"));
  await copyDataDir(inject("preparedDataDir"), dataDir);
});
afterEach(() => endLeftoverProcesses(folder));

/** Starts a command as npm does. */
function start(file: string, args: readonly string[] = [], environment = {}) {
  const { DATABASE_URL: _, ...inherited } = process.env;
  const child = spawn(process.execPath, [`operations/commands/${file}`, ...args], {
    cwd: root,
    env: { ...inherited, ENV_FILE: "", DATA_DIR: dataDir, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  child.stdout.resume();
  child.stderr.resume();
  return { child, ended: once(child, "exit") };
}

/** The number of the PostgreSQL that runs on this data folder, once it does. */
const postgresIn = (data: string) =>
  vi.waitUntil(
    async () => Number.parseInt(await readFile(join(data, "postgres/postmaster.pid"), "utf8").catch(() => ""), 10),
    { timeout },
  );

test("a command that is interrupted stops the PostgreSQL that it has started", async () => {
  // It waits until every server has seen the new key.
  const { child, ended } = start("run.ts", ["admin", "rotate-keys", "--now", "--yes"]);
  await once(child.stderr, "data");
  const postgres = await postgresIn(dataDir);
  child.kill("SIGTERM");
  expect([await ended, isAlive(postgres)]).toEqual([[1, null], false]);
});

test("a build that is interrupted leaves nothing", async () => {
  const found = async () => (await readdir(folder)).filter((name) => name.startsWith("site"));
  const { child, ended } = start("build.ts", [], { BUILD_DIR: join(folder, "site") });
  await vi.waitUntil(async () => (await found()).length > 0, { timeout });
  child.kill("SIGTERM");
  expect([await ended, await found()]).toEqual([[1, null], []]);
});
