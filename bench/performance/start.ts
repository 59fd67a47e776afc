import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { chooseAddress } from "#backend/database/embedded/address";
import { findPackage, prepareBinaries } from "#backend/database/embedded/binaries";
import { serverOptions } from "#backend/database/embedded/postgres-options";
import { copyDataDir } from "#tests/support/data-dir";
import { freePort, startSite, testSiteSettings } from "#tests/support/site";
import { compareSides, type Run } from "./comparison.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const bareStart = fileURLToPath(new URL("./rivals/bare-start.mjs", import.meta.url));
/** The pause between two attempts, short enough for the result and long enough to leave the processor to the start. */
const pollMilliseconds = 5;

/**
 * How long does the server take from its process to the first answer? The site is built and the data folder is there.
 * The floor is a bare Node process that starts the same PostgreSQL on a copy of the same data and then answers.
 */
export async function start(run: Run) {
  const ours = join(run.folder, "ours");
  const rival = join(run.folder, "rival");
  // The first start makes the data folder and the build.
  const first = await startSite({ dataDir: ours, signal: run.signal });
  await first.stop();
  await copyDataDir(ours, rival);
  const question = "start of the server, warm";
  const floor = "bare Node and PostgreSQL";
  const sides = { [question]: () => timeServer(ours), [floor]: () => timeFloor(rival) };
  return compareSides(run, sides, [{ question, rival: floor, figure: "seconds", unit: " s", goal: { oursAtMost: 1 } }]);
}

async function timeServer(dataDir: string) {
  const port = await freePort();
  const environment = { ...testSiteSettings, PORT: `${port}`, DATA_DIR: dataDir, LOG_LEVEL: "fatal" };
  return timeStart(["--max-semi-space-size=4", "operations/commands/start.mjs"], port, environment);
}

async function timeFloor(dataDir: string) {
  const port = await freePort();
  const data = join(dataDir, "postgres");
  const binaries = await prepareBinaries(dataDir, findPackage());
  const options = serverOptions(await chooseAddress({ data }, binaries));
  const command = [...binaries.prefix, binaries.postgres, "-D", data, ...options];
  return timeStart([bareStart, JSON.stringify({ port, data, command, user: binaries.user })], port);
}

/** Resolves with the seconds from the start of the process to the first answer, after the process has ended. */
async function timeStart(args: readonly string[], port: number, environment = {}) {
  const began = performance.now();
  const env = { ...process.env, ...environment };
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  while (!(await fetch(`http://localhost:${port}`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error(`${args[0]} ended before it answered.`);
    await pause(pollMilliseconds);
  }
  const seconds = (performance.now() - began) / 1000;
  child.kill("SIGTERM");
  await ended;
  return { seconds };
}
