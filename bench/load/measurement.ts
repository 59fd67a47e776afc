import { chmod, mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSettings } from "#server/settings";
import { ensureBuilt } from "#server/static-site/ensure-built";
import { type RunningSite, startSite, testSiteSettings } from "#tests/support/site";
import { endLeftoverProcesses } from "../../scripts/leftover-processes.mjs";

/** What each measurement gets. */
export interface Measurement {
  /** For data. It is removed at the end, unless the measurement fails. */
  folder: string;
  /** Aborts at SIGINT, SIGTERM and SIGHUP, and when `fail` is called. It kills every server. */
  signal: AbortSignal;
  progress(text: string): void;
  /** Ends the measurement at once. */
  fail(problem: string): void;
  /** The servers of the measurement, whose output is kept after a failure. */
  servers: RunningSite[];
}

export interface Result {
  /** What `console.table` prints. */
  figures?: object;
  /** Figures, each of which is a failure if it is not 0. */
  mustBeZero?: Record<string, number>;
  /** A sentence for each other failure. */
  problems?: readonly string[];
}

/** Runs a measurement, ends every process that it has started, and exits with 1 if there is a problem. */
export async function runMeasurement(name: string, work: (measurement: Measurement) => Promise<Result>) {
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 1000);
  const progress = (text: string) => console.error(`${seconds()} s: ${text}`);
  const ending = new AbortController();
  const fail = (problem: string) => ending.abort(new Error(problem));
  for (const event of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(event, () => fail(`Stopped by ${event}.`));
  const folder = await realpath(await mkdtemp(join(tmpdir(), `${name}-`)));
  // PostgreSQL may run as another user, which needs access to its data.
  await chmod(folder, 0o711);
  // By this folder scripts/leftover-processes.mjs recognises the processes of this run, and no others.
  process.env.TMPDIR = folder;

  const servers: RunningSite[] = [];
  const problems: string[] = [];
  try {
    // Built before, so that the time of a server's start is not that of the build.
    await ensureBuilt(readSettings({ ...process.env, ...testSiteSettings }), () => progress("building the site"));
    const measurement = { folder, signal: ending.signal, progress, fail, servers };
    const { figures, mustBeZero = {}, ...other } = await Promise.race([work(measurement), rejectAt(ending.signal)]);
    if (figures) console.table(figures);
    const wrong = Object.entries(mustBeZero).filter(([, figure]) => figure !== 0);
    problems.push(...(other.problems ?? []), ...wrong.map(([name, figure]) => `${name}: ${figure}`));
  } catch (error) {
    problems.push(ending.signal.aborted ? ending.signal.reason.message : (error as Error).stack);
  }
  ending.abort();
  const leftovers = await endLeftoverProcesses(folder);
  if (problems.length === 0) problems.push(...leftovers.map((line) => `Not ended in order: ${line}.`));
  for (const problem of new Set(problems)) console.log(problem);
  if (problems.length > 0) await writeLogs();
  else await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  console.log(`${problems.length > 0 ? "Failed" : "Passed"} in ${seconds()} s.`);
  process.exit(problems.length > 0 ? 1 : 0);

  async function writeLogs() {
    for (const [index, server] of servers.entries())
      await writeFile(join(folder, `server-${index + 1}.log`), server.output());
    console.log(`Data and logs are in ${folder}.`);
  }
}

function rejectAt(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

interface ServerOptions {
  dataDir: string;
  port?: number;
  environment?: Record<string, string>;
}

/** Starts a server as an operator has it, with all limits on. If it ends by itself, the measurement fails. */
export async function startServer(
  { signal, fail, servers }: Measurement,
  { environment, ...options }: ServerOptions,
): Promise<RunningSite> {
  const settings = { HOST: "127.0.0.1", AUTH_LIMITS: "on", TRUST_PROXY: "loopback", LOG_LEVEL: "warn", ...environment };
  const server = await startSite({ ...options, signal, environment: settings });
  servers.push(server);
  let isEnding = false;
  server.ended.then((code) => {
    if (!isEnding && !signal.aborted)
      fail(`A server ended by itself (${code ?? "by a signal"}).\n${server.output().slice(-3000)}`);
  });
  return {
    ...server,
    url: `http://127.0.0.1:${server.port}`,
    async stop() {
      isEnding = true;
      const code = await server.stop();
      if (code !== 0) throw new Error(`A server did not stop in order: it ended with ${code ?? "a signal"}.`);
      return code;
    },
    kill() {
      isEnding = true;
      return server.kill();
    },
  };
}
