import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { defaultPublicKey } from "#server/settings";
import type { Run } from "./comparison.ts";

/** Runs a program and resolves with what it printed; rejects if it fails. */
export async function runProgram({ signal }: Run, [program = "", ...args]: readonly string[], environment = {}) {
  const options = { signal, env: { ...process.env, ...environment } };
  return (await promisify(execFile)(program, args, options)).stdout;
}

/** On two cores, more connections would only wait longer. */
export const connections = 16;

interface Load {
  url: string;
  seconds: number;
  /** How many keep-alive connections send. */
  atOnce?: number;
  headers?: Readonly<Record<string, string | undefined>>;
  /** A Lua script that writes the requests, and its arguments. */
  script?: readonly string[];
}

/** Sends requests on keep-alive connections, each as soon as the one before is answered. Rejects if one fails. */
export async function wrk(run: Run, load: Load) {
  const { url, seconds, atOnce = connections, headers = {}, script = [] } = load;
  const [file, ...args] = script;
  const printed = await runProgram(run, [
    ...["wrk", "-t", "1", "-c", `${atOnce}`, "-d", `${seconds}s`, "--latency"],
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(file ? ["-s", file] : []),
    ...[url, "--", ...args],
  ]);
  const problem = /Non-2xx or 3xx responses.*|Socket errors.*/.exec(printed)?.[0];
  if (problem) throw new Error(`${url}: ${problem}`);
  return {
    perSecond: Number(/Requests\/sec:\s+([\d.]+)/.exec(printed)?.[1]),
    /** How many requests were answered. */
    count: Number(/(\d+) requests in/.exec(printed)?.[1]),
    medianMilliseconds: percentile(printed, 50),
    p99Milliseconds: percentile(printed, 99),
  };
}

const milliseconds: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

function percentile(printed: string, percent: number): number {
  const [, number = "", unit = ""] = new RegExp(`^\\s+${percent}%\\s+([\\d.]+)(us|ms|s)$`, "m").exec(printed) ?? [];
  return Number(number) * (milliseconds[unit] ?? Number.NaN);
}

/** The script for requests that each have another number in place of `%d`, and another network. */
export function distinctRequests(body: object, { first = 0, count = 2 ** 22 } = {}): string[] {
  const file = fileURLToPath(new URL("./distinct-requests.lua", import.meta.url));
  return [file, defaultPublicKey, `${first}`, `${count}`, JSON.stringify(body)];
}
