import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, test } from "vitest";
import { endLeftoverProcesses } from "../../scripts/leftover-processes.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));
let folder: string;
let npm: ChildProcess;
let printed: string;

beforeEach(async () => {
  // `npm run chaos` writes all its files to this folder.
  folder = await realpath(await mkdtemp(join(tmpdir(), "chaos-ends-")));
  const { NODE_ENV: _, VITEST: __, ...environment } = process.env;
  npm = spawn("npm", ["run", "chaos", "--", "--contacts", "1000", "--kills", "0"], {
    cwd: root,
    env: { ...environment, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  printed = "";
  npm.stdout?.on("data", (chunk: Buffer) => {
    printed += chunk;
  });
});
afterEach(async () => {
  npm.kill("SIGKILL");
  await endLeftoverProcesses(folder);
  await rm(folder, { recursive: true, force: true });
});

test("`npm run chaos` reports a killed server, ends, and keeps the data and the log", async () => {
  const { server } = await processes();
  process.kill(server, "SIGKILL");
  expect(await ended()).toBe(1);
  expect(printed).toContain(`The server (process ${server}) ended by itself, by a signal.`);
  expect(printed).toContain("servers lost 1,");
  const [, keptFolder] = /wrote down is in (\S+)\.\n/.exec(printed) ?? [];
  expect(await readdir(keptFolder ?? "")).toEqual(expect.arrayContaining(["data", "server.log"]));
  expect(await endLeftoverProcesses(folder)).toEqual([]);
}, 150_000);

test("`npm run chaos` reports a killed SMTP server and ends", async () => {
  const { smtp } = await processes();
  process.kill(smtp, "SIGKILL");
  expect(await ended()).toBe(1);
  expect(printed).toContain(`The SMTP server (process ${smtp}) ended by itself, by a signal.`);
  expect(await endLeftoverProcesses(folder)).toEqual([]);
}, 150_000);

test("SIGTERM ends all processes of `npm run chaos` and removes its files", async () => {
  await processes();
  npm.kill("SIGTERM");
  await ended();
  expect(await endLeftoverProcesses(folder)).toEqual([]);
  expect(await chaosFolders()).toEqual([]);
}, 150_000);

test("SIGINT during the start of `npm run chaos` leaves no processes and no files", async () => {
  await until(async () => (await chaosFolders()).length > 0);
  expect(printed).not.toContain("the server is process");
  npm.kill("SIGINT");
  await ended();
  expect(await endLeftoverProcesses(folder)).toEqual([]);
  expect(await chaosFolders()).toEqual([]);
}, 150_000);

async function processes(): Promise<{ server: number; smtp: number }> {
  const line = /the server is process (\d+), the SMTP server (\d+)/;
  await until(() => line.test(printed));
  const [, server, smtp] = line.exec(printed) ?? [];
  return { server: Number(server), smtp: Number(smtp) };
}

/** Waits until `isTrue` returns true. Throws an error with the command's output if the command ends first. */
async function until(isTrue: () => boolean | Promise<boolean>) {
  const deadline = Date.now() + 120_000;
  while (!(await isTrue())) {
    if (hasEnded()) throw new Error(`npm run chaos ended too early.\n${printed}`);
    if (Date.now() > deadline) throw new Error(`Waited for two minutes in vain.\n${printed}`);
    await pause(20);
  }
}

async function chaosFolders(): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.startsWith("chaos-"));
}

async function ended(): Promise<number | null> {
  if (!hasEnded()) await once(npm, "exit");
  return npm.exitCode;
}

function hasEnded(): boolean {
  return npm.exitCode !== null || npm.signalCode !== null;
}
