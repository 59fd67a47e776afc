import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defaultPublicKey } from "#server/settings";
import type { Run } from "./comparison.ts";

/** Runs a program and resolves with what it printed; rejects if it fails. */
export async function runProgram({ signal }: Run, [program = "", ...args]: readonly string[]) {
  return (await promisify(execFile)(program, args, { signal })).stdout;
}

interface Load {
  url: string;
  seconds: number;
  /** How many keep-alive connections send. */
  atOnce: number;
  /** A Lua script that writes the requests, and its arguments. */
  script: readonly string[];
}

/** Sends requests on keep-alive connections, each as soon as the one before is answered. Rejects if one fails. */
export async function wrk(run: Run, { url, seconds, atOnce, script: [script = "", ...values] }: Load) {
  const load = ["-t", "1", "-c", `${atOnce}`, "-d", `${seconds}s`];
  const printed = await runProgram(run, ["wrk", ...load, "-s", script, url, "--", ...values]);
  const problem = /Non-2xx or 3xx responses.*|Socket errors.*/.exec(printed)?.[0];
  if (problem) throw new Error(`${url}: ${problem}`);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1]),
    /** How many requests were answered. */
    count: Number(/(\d+) requests in/.exec(printed)?.[1]),
  };
}

/** The script for requests that each have another number in place of `%d`, and another network. */
export function distinctRequests(body: object, { first = 0, count = 2 ** 22 } = {}): string[] {
  const file = fileURLToPath(new URL("./distinct-requests.lua", import.meta.url));
  return [file, defaultPublicKey, `${first}`, `${count}`, JSON.stringify(body)];
}
