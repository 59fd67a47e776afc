/**
 * `npm run bench:start`: how long does the server take from its process to the first answer? The site is built and the
 * data folder is there. Alternates with the floor: a bare Node process that starts the same PostgreSQL on a copy of the
 * same data and then answers. Prints medians and the spread of the ratio. (`--runs`)
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { get } from "node:http";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chooseAddress, settingsFor } from "#server/database/embedded/address";
import { findPackage, prepareBinaries } from "#server/database/embedded/binaries";
import { copyDataDir } from "#tests/support/data-dir";
import { freePort, startSite } from "#tests/support/site";
import { compare, type Row } from "./performance/row.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const floor = fileURLToPath(new URL("./start/floor.mjs", import.meta.url));
/** The pause between two attempts, short enough for the result and long enough to leave the processor to the start. */
const pollMilliseconds = 5;

/** The build of `npm run bench:page`, so that only one of the two commands has to make it. */
const site = { SITE_URL: "http://localhost:4174", BUILD_DIR: resolve(".cache/bench-site"), LOG_LEVEL: "fatal" };

export async function measureStart({ runs = 5 } = {}): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-start-"));
  const ours = join(folder, "ours");
  const rival = join(folder, "rival");
  try {
    // The first start makes the data folder and the build.
    const first = await startSite({ dataDir: ours, environment: site });
    await first.stop();
    await copyDataDir(ours, rival);
    const pairs: { ours: number; rival: number }[] = [];
    // The first pair fills the caches of the file system and of Node.
    for (let run = 0; run <= runs; run++) {
      const pair = { ours: await timeServer(ours), rival: await timeFloor(rival) };
      if (run > 0) pairs.push(pair);
    }
    return [rowOf(pairs)];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(pairs: readonly { ours: number; rival: number }[]): Row {
  return compare({
    question: "start of the server, warm",
    unit: "s",
    ours: pairs.map((pair) => pair.ours),
    rival: { name: "bare Node and PostgreSQL", figures: pairs.map((pair) => pair.rival) },
    goal: { oursAtMost: 1 },
  });
}

async function timeServer(dataDir: string): Promise<number> {
  const port = await freePort();
  const environment = { ...process.env, ...site, PORT: String(port), DATA_DIR: dataDir };
  return timeStart(["server/main.ts"], port, environment);
}

async function timeFloor(dataDir: string): Promise<number> {
  const port = await freePort();
  const data = join(dataDir, "postgres");
  const binaries = await prepareBinaries(dataDir, findPackage());
  const settings = settingsFor(await chooseAddress({ data })).flatMap((setting) => ["-c", setting]);
  const command = [...binaries.prefix, binaries.postgres, "-D", data, ...settings];
  return timeStart([floor, JSON.stringify({ port, data, command, user: binaries.user })], port, process.env);
}

/** Resolves with the seconds from the start of the process to the first answer, after the process has ended. */
async function timeStart(args: readonly string[], port: number, env: NodeJS.ProcessEnv): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const ended = once(child, "exit");
  while (!(await answers(port))) {
    if (hasEnded(child)) throw new Error(`${args[0]} ended before it answered.`);
    await pause(pollMilliseconds);
  }
  const seconds = (performance.now() - began) / 1000;
  child.kill("SIGTERM");
  await ended;
  return seconds;
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

function answers(port: number): Promise<boolean> {
  return new Promise((done) => {
    const request = get({ host: "localhost", port, agent: false }, (response) => {
      response.resume().once("end", () => done(response.statusCode === 200));
    });
    request.once("error", () => done(false));
  });
}

if (import.meta.main) {
  const { values } = parseArgs({ options: { runs: { type: "string", default: "5" } } });
  console.table(await measureStart({ runs: Number(values.runs) }));
}
