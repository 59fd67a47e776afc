import { onCore, pathOf, runProgram } from "./programs.ts";
import type { Run } from "./run.ts";

/** On two cores, more connections would only wait longer. */
export const connections = 16;

interface Load {
  url: string;
  seconds: number;
  /** How many keep-alive connections send; 16 without it. */
  atOnce?: number;
  headers?: Readonly<Record<string, string>>;
  /** A Lua script that writes the requests, and its arguments. */
  script?: readonly [file: string, ...args: string[]];
  /** The core to which wrk is pinned. */
  core?: number;
}

const milliseconds: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000 };

/** Sends requests on keep-alive connections, each as soon as the one before is answered. Rejects if one fails. */
export async function wrk(run: Run, { url, seconds, atOnce = connections, headers = {}, script, core }: Load) {
  const [file, ...args] = script ?? [];
  const options = [
    ...["-t", "1", "-c", String(atOnce), "-d", `${seconds}s`, "--latency"],
    ...Object.entries(headers).flatMap(([name, value]) => ["-H", `${name}: ${value}`]),
    ...(file ? ["-s", file] : []),
  ];
  const command = [pathOf("wrk"), ...options, url, "--", ...args];
  const printed = await runProgram(run, core === undefined ? command : onCore(core, command));
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

function percentile(printed: string, percent: number): number {
  const [, number = "", unit = ""] = new RegExp(`^\\s+${percent}%\\s+([\\d.]+)(us|ms|s)$`, "m").exec(printed) ?? [];
  return Number(number) * (milliseconds[unit] ?? Number.NaN);
}
