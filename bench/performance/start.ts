import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { freePort, testSiteSettings } from "#tests/support/site";
import { quantile } from "../load/quantile.ts";
import type { Row, Run } from "./comparison.ts";

/** The pause between two attempts, short enough for the result and long enough to leave the processor to the start. */
const pollMilliseconds = 5;
const idleSeconds = 10;

/**
 * How long does the server take from its process to the first answer, on a built site: the first time, and with its data
 * there? What do it and its PostgreSQL take of the memory when they are idle (Pss: shared pages count by their share)?
 */
export async function start(run: Run): Promise<Row[]> {
  const dataDir = join(run.folder, "data");
  const [first, warm, megabytes]: [number[], number[], number[]] = [[], [], []];
  for (let round = 1; round <= run.rounds; round++) {
    run.progress(`round ${round} of ${run.rounds}`);
    await rm(dataDir, { recursive: true, force: true });
    first.push((await startOnce(dataDir)).seconds);
    const again = await startOnce(dataDir, round === run.rounds);
    warm.push(again.seconds);
    if (again.megabytes) megabytes.push(again.megabytes);
  }
  return [
    rowOf("first start on a built site", first, " s", 1.5),
    rowOf("warm start", warm, " s", 0.4),
    rowOf(`memory after ${idleSeconds} idle seconds`, megabytes, " MB", 130),
  ];
}

function rowOf(question: string, figures: readonly number[], unit: string, most: number): Row {
  const [median, least, highest] = [0.5, 0, 1].map((share) => Number(quantile(figures, share).toFixed(2)));
  const spread = `${least} to ${highest}`;
  const met = (median ?? 0) <= most ? "yes" : "NO";
  return { question, ours: `${median}${unit}`, rival: "", ratio: "", spread, goal: `at most ${most}${unit}`, met };
}

async function startOnce(dataDir: string, isWeighed = false) {
  const port = await freePort();
  const settings = { ...testSiteSettings, PORT: `${port}`, DATA_DIR: dataDir, LOG_LEVEL: "fatal" };
  const began = performance.now();
  const program = ["--max-semi-space-size=4", "operations/commands/start.mjs"];
  const child = spawn(process.execPath, program, { env: { ...process.env, ...settings }, stdio: "ignore" });
  const ended = once(child, "exit");
  while (!(await fetch(`http://localhost:${port}`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || child.signalCode !== null) throw new Error("The server ended before it answered.");
    await pause(pollMilliseconds);
  }
  const seconds = (performance.now() - began) / 1000;
  if (isWeighed) await pause(idleSeconds * 1000);
  const megabytes = isWeighed ? pssMegabytes(child.pid ?? 0) : undefined;
  child.kill("SIGTERM");
  await ended;
  return { seconds, megabytes };
}

/** Of a process and all that it has started. From Linux. */
function pssMegabytes(root: number): number {
  const processes = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({ pid: Number(pid), parent: Number(/\) \S (\d+)/.exec(readProc(pid, "stat"))?.[1]) }));
  const family = new Set([root]);
  for (let size = 0; size < family.size; ) {
    size = family.size;
    for (const { pid, parent } of processes) if (family.has(parent)) family.add(pid);
  }
  const kilobytes = [...family].map((pid) =>
    Number(/^Pss:\s+(\d+)/m.exec(readProc(`${pid}`, "smaps_rollup"))?.[1] ?? 0),
  );
  return kilobytes.reduce((sum, each) => sum + each, 0) / 1024;
}

function readProc(pid: string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
