import { execFile, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import type { Run } from "./run.ts";

/** The programs that `npm run bench` uses if they are installed, and the Debian package that contains each. */
const programs = {
  wrk: { debianPackage: "wrk", versionOption: "-v" },
  nginx: { debianPackage: "nginx", versionOption: "-v" },
  pgbench: { debianPackage: "postgresql", versionOption: "--version" },
  taskset: { debianPackage: "util-linux", versionOption: "--version" },
} as const;
export type Program = keyof typeof programs;

/** Debian has nginx in a folder that is not in the search path of every user. */
const searchPath = [...(process.env.PATH ?? "").split(delimiter), "/usr/sbin"];

/** Returns the path of a program; its name alone, if it is not installed. */
export function pathOf(program: Program): string {
  const folder = searchPath.find((each) => existsSync(join(each, program)));
  return folder ? join(folder, program) : program;
}

/** Returns one sentence that names the Debian package, if the program does not run here. */
export function findMissing(program: Program): string | undefined {
  if (findVersion(program)) return undefined;
  return `${program} is not installed: apt-get install ${programs[program].debianPackage}`;
}

/** Returns the version that a program prints, or undefined if it does not run. */
export function findVersion(program: Program): string | undefined {
  const { stdout, stderr } = spawnSync(pathOf(program), [programs[program].versionOption]);
  return /\d+\.\d[\w.]*/.exec(`${stdout}${stderr}`)?.[0];
}

/** Runs a program and resolves with what it printed; rejects if it fails. */
export async function runProgram({ signal }: Run, [command = "", ...args]: readonly string[], environment = {}) {
  const options = { signal, env: { ...process.env, ...environment }, maxBuffer: 2 ** 24 };
  return (await promisify(execFile)(command, args, options)).stdout;
}

/**
 * Where server and load would otherwise wander between the cores and share them differently in each round, the server
 * gets one core and the load another. Without `taskset`, or with one core only, nothing is pinned.
 */
export const cores = { server: 0, load: 1 } as const;
const canPin = availableParallelism() > 1 && findVersion("taskset") !== undefined;

export function onCore(core: number, command: readonly string[]): readonly string[] {
  return canPin ? [pathOf("taskset"), "-c", String(core), ...command] : command;
}

/** Pins a process that runs already, with all its threads. */
export async function pin(run: Run, pid: number, core: number) {
  if (canPin) await runProgram(run, [pathOf("taskset"), "-a", "-c", "-p", String(core), String(pid)]);
}
