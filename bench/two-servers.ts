/**
 * `npm run two-servers`: what fails while two servers on one PostgreSQL, behind nginx, end and come back? Sends 50
 * contacts a second of distinct senders, with logins, inbox and pages beside them, in two passes: in `crash` each server
 * is killed (SIGKILL) and PostgreSQL crashes, in `upgrade` each server stops (SIGTERM) and its successor starts. Then
 * requests race at every limit, at both servers at once. nginx runs with `deploy/nginx.conf`. Uses 127.0.0.1 only.
 * `--seconds` sets the length of a pass, `--parts` selects passes and limits.
 */
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "#server/pages/ensure-built";
import { readSettings } from "#server/settings";
import { testSiteSettings } from "#tests/support/site";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { accountMailsPerHour, runRaces } from "./attack/races.ts";
import { findMissing } from "./performance/programs.ts";
import { passes, runPass } from "./two-servers/passes.ts";
import { startTargets, type Targets } from "./two-servers/targets.ts";

const { values: options } = parseArgs({
  options: {
    seconds: { type: "string", default: "60" },
    parts: { type: "string", default: [...Object.keys(passes), "limits"].join() },
  },
});
const seconds = Number(options.seconds);
const parts = options.parts.split(",");

const missing = findMissing("nginx");
if (missing) {
  console.error(missing);
  process.exit(1);
}

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());

const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), "two-servers-"));
const problems: string[] = [];
/** Each figure of the passes, by the name of the pass. */
const figures: Record<string, Record<string, number>> = {};
// Built once here, so that the two servers do not build it at the same time.
await ensureBuilt(readSettings({ ...process.env, ...testSiteSettings }), () => progress("building the site"));
for (const part of parts) {
  if (signal.aborted) break;
  let targets: Targets | undefined;
  try {
    targets = await startTargets(
      join(folder, part),
      part === "limits" ? { ACCOUNT_MAILS_PER_HOUR: `${accountMailsPerHour}` } : {},
    );
    const events = passes[part];
    if (events) await runOnePass(part, targets, events);
    else await runTheLimits(targets);
  } catch (error) {
    if (!signal.aborted) problems.push(`${part}: ${error instanceof Error ? error.stack : error}`);
  }
  await targets?.stop().catch((error: Error) => problems.push(`${part}: ${error.message}`));
  await writeFile(join(folder, `${part}.log`), targets?.output() ?? "");
}
const leftovers = await endLeftoverProcesses(folder);
if (leftovers.length > 0 && !signal.aborted) problems.push(`Processes left after the end: ${leftovers.join(", ")}.`);
progress("");
console.table(figures);
for (const problem of problems) console.log(problem);
if (problems.length > 0) console.log(`What the servers and nginx wrote down is in ${folder}.`);
else await rm(folder, { recursive: true, force: true });
process.exit(signal.aborted || problems.length > 0 ? 1 : 0);

async function runOnePass(name: string, targets: Targets, events: (typeof passes)[string]) {
  const result = await runPass(targets, events, {
    seconds,
    signal,
    progress: (message) => progress(`${name}: ${message}`),
  });
  for (const failure of result.failures) console.log(failure);
  for (const [figure, count] of Object.entries(result.figures)) figures[figure] = { ...figures[figure], [name]: count };
  problems.push(...result.problems.map((problem) => `${name}: ${problem}`));
}

/** The limits in PostgreSQL let through at both servers together what one server does. */
async function runTheLimits({ database, signIn, ports }: Targets) {
  progress("limits");
  const tally = await runRaces({ database, signIn, ports });
  problems.push(...tally.problems.map((problem) => `limits: ${problem}`));
}

/** At a terminal, overwrites the previous message; elsewhere prints a line. */
function progress(message: string) {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  if (process.stderr.isTTY) process.stderr.write(`\r${message && `${seconds} s: ${message}`.padEnd(100)}\r`);
  else if (message) console.error(`${seconds} s: ${message}`);
}
