/**
 * `npm run attack` attacks a server of its own: does any request fail with 500, hang, or change what it must not? Sends
 * 20,000 bad requests to all routes, slow requests, forged tokens, and requests that race at every limit; then runs
 * sqlmap and wapiti, where they are installed. All in all about five minutes, on 127.0.0.1 only. `--requests` and
 * `--seed` set the number of bad requests and the random seed; `--only INDEX` with the printed seed repeats one of them
 * and prints it with its answer. `--parts` selects parts, `--slow` sets the number of slow clients of each kind.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { ensureBuilt } from "#server/pages/ensure-built";
import { readSettings } from "#server/settings";
import { testSiteSettings } from "#tests/support/site";
import { startSmtp } from "#tests/support/smtp-server";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { runForgedTokens } from "./attack/forged-tokens.ts";
import { accountMailsPerHour } from "./attack/races.ts";
import { findUnaccepted, runBadRequests } from "./attack/run-bad-requests.ts";
import { runRaces } from "./attack/run-races.ts";
import { runSqlmap, runWapiti } from "./attack/scanners.ts";
import { runSlowRequests } from "./attack/slow-requests.ts";
import { readSurface } from "./attack/surface.ts";
import { hasFailed, type Tally } from "./attack/tally.ts";
import { emails, loggedErrors, password, seedRows, startTarget, type Target } from "./attack/target.ts";
import { changedRows, readRows, readStoredContacts } from "./attack/untouched-rows.ts";
import { seededRandom } from "./load/seeded-random.ts";
import { findGrowth } from "./soak/growth.ts";
import { heapBytes, type Sample, takeSample } from "./soak/samples.ts";

const partNames = ["requests", "slow", "tokens", "races", "sqlmap", "wapiti"] as const;
const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
    only: { type: "string" },
    slow: { type: "string", default: "5" },
    parts: { type: "string", default: partNames.join() },
  },
});
const requests = Number(options.requests);
const seed = Number(options.seed);
const only = options.only === undefined ? undefined : Number(options.only);
const wants = (part: (typeof partNames)[number]) => options.parts.split(",").includes(part);

/** A shorter run is not checked for growth, because growth in the first thousands of requests is warm-up. */
const growthRequestsMin = 10_000;
const scannerSecondsMax = { sqlmap: 100, wapiti: 70 };
const problemsShown = 40;

const stopping = new AbortController();
const { signal } = stopping;
let wasInterrupted = false;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
  process.on(name, () => {
    wasInterrupted = true;
    stopping.abort();
  });
}
const onEnded = (message: string) => stopping.abort(new Error(message));

console.log(`${requests} bad requests, --seed ${seed}.`);
const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), "attack-"));
const tallies = new Map<string, Tally | undefined>();
const problems: string[] = [];
const memory: Record<string, string> = {};
try {
  // Built here, so that the time of a server's start is not that of the build.
  await ensureBuilt(readSettings({ ...process.env, ...testSiteSettings }), () => progress("building the site"));
  if (only !== undefined) await repeatOne(only);
  else {
    if (partNames.some((name) => name !== "races" && wants(name))) await attackWithoutLimits();
    if (wants("races")) await attackLimits();
  }
} catch (error) {
  const cause = signal.aborted ? signal.reason : error;
  if (wasInterrupted) problems.push("Stopped. All processes have ended and their files are removed.");
  else problems.push(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
}
stopping.abort();
await endLeftoverProcesses(folder);
await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
progress("");
process.exit(report() ? 0 : 1);

/** All but the races: with limits, the server would refuse most requests before it looks at them. */
async function attackWithoutLimits() {
  const target = await startTarget({
    folder,
    environment: { AUTH_LIMITS: "off", NODE_OPTIONS: "--inspect=127.0.0.1:0" },
    signal,
    onEnded,
  });
  progress("the server runs");
  await seedRows(target.database);
  const slow = wants("slow") ? runSlowRequests(target.site.port, Number(options.slow), signal) : undefined;
  if (wants("requests")) await part(target, "bad requests", () => sendBadRequests(target));
  if (wants("tokens"))
    await part(target, "forged tokens", async () => ({
      "forged tokens": await runForgedTokens(target, seededRandom(seed)),
    }));
  const scanners = { sqlmap: runSqlmap, wapiti: runWapiti } as const;
  for (const [name, run] of Object.entries(scanners) as ["sqlmap" | "wapiti", typeof runSqlmap][]) {
    if (!wants(name)) continue;
    await part(target, name, async () => ({
      [name]: await run({ target, folder, secondsMax: scannerSecondsMax[name], signal }),
    }));
  }
  if (slow) {
    progress("waiting for the slow requests");
    tallies.set("slow requests", await slow);
  }
  await stopTarget(target);
}

async function attackLimits() {
  const smtp = await startSmtp();
  const environment = {
    AUTH_LIMITS: "on",
    ACCOUNT_MAILS_PER_HOUR: `${accountMailsPerHour}`,
    SMTP_URL: smtp.url,
  };
  const raceFolder = join(folder, "races");
  const target = await startTarget({ folder: raceFolder, environment, signal, onEnded });
  await seedRows(target.database);
  await part(target, "races", async () => ({ races: await runRaces({ ...target, ports: [target.site.port] }) }));
  await stopTarget(target);
  await smtp.stop();
}

/** Runs one part of the attack, and compares afterwards what it must not have changed. */
async function part(target: Target, name: string, run: () => Promise<Record<string, Tally | undefined>>) {
  progress(name);
  const before = await readRows(target.database);
  const results = await run();
  const changed = changedRows(before, await readRows(target.database));
  for (const [tool, tally] of Object.entries(results)) tallies.set(tool, tally);
  const [first] = Object.values(results);
  if (!first || changed.length === 0) return;
  first.rowsChanged += changed.length;
  first.problems.push(`Rows changed by ${name}: ${changed.join(", ")}`);
}

async function sendBadRequests(target: Target): Promise<Record<string, Tally>> {
  const inspector = /ws:\/\/\S+/.exec(target.site.output())?.[0] ?? "";
  const surface = await readSurface(target.database);
  const samples: Sample[] = [];
  const heaps = { middle: 0, end: 0 };
  const isDone = new AbortController();
  let answered = 0;
  const takeSamples = async () => {
    while (!isDone.signal.aborted) {
      samples.push(await takeSample(target.site.pid, target.database));
      if (heaps.middle === 0 && answered > requests / 2) heaps.middle = await heapBytes(inspector);
      progress(`${answered} of ${requests} bad requests`);
      await pause(1000, undefined, { signal: isDone.signal }).catch(() => {});
    }
  };
  const running = runBadRequests({
    port: target.site.port,
    seed,
    indexes: Array(requests).keys(),
    surface,
    readKnowledge: () => readKnowledge(target),
    signal,
    onAnswer: () => {
      answered += 1;
    },
  });
  const [{ tallies, accepted }] = await Promise.all([running.finally(() => isDone.abort()), takeSamples()]);
  heaps.end = await heapBytes(inspector);

  const stored = findUnaccepted(await readStoredContacts(target.database), accepted);
  tallies.bodies.rowsChanged += stored.length;
  tallies.bodies.problems.push(...stored);
  const resident = samples.map(({ residentBytes }) => residentBytes);
  memory["memory (RSS) after a third, MB"] = megabytes(resident[Math.floor(resident.length / 3)]);
  memory["memory (RSS) at the end, MB"] = megabytes(resident.at(-1));
  memory["heap in the middle, MB"] = megabytes(heaps.middle);
  memory["heap at the end, MB"] = megabytes(heaps.end);
  if (requests >= growthRequestsMin) problems.push(...findGrowth(samples, heaps).map((growth) => `Grew: ${growth}.`));
  return Object.fromEntries(Object.entries(tallies).map(([family, tally]) => [`bad ${family}`, tally]));
}

/** Sends one bad request again and prints what happened. */
async function repeatOne(index: number) {
  const target = await startTarget({ folder, environment: { AUTH_LIMITS: "off", LOG_LEVEL: "warn" }, signal, onEnded });
  await seedRows(target.database);
  await runBadRequests({
    port: target.site.port,
    seed,
    indexes: [index],
    surface: await readSurface(target.database),
    readKnowledge: () => readKnowledge(target),
    signal,
    onAnswer(_index, { parts, description }, { statuses, isHung, text }) {
      console.log(`${description}\n\n${Buffer.concat(parts).toString("latin1").slice(0, 3000)}\n`);
      console.log(`${isHung ? "No answer" : `Answers: ${statuses.join(", ") || "none, closed"}`}\n\n${text}`);
    },
  });
  console.log(target.site.output());
  await target.stop();
}

async function readKnowledge(target: Target) {
  const sessions = await Promise.all([target.signIn("admin"), target.signIn("member")]);
  const { rows } = await target.database.query<{ id: string }>(
    "select id from auth.mfa_factors where status = 'verified'",
  );
  return {
    tokens: sessions.map(({ access_token }) => access_token),
    emails: Object.values(emails),
    factorIds: rows.map(({ id }) => id),
    password,
  };
}

/** Also fails the run for each error in the log: its cause may be a request whose client was gone before the answer. */
async function stopTarget(target: Target) {
  for (const [error, times] of loggedErrors(target.site.output()))
    problems.push(`The server logged this error ${times} times: ${error}`);
  await target.stop();
}

/** Prints the table and every problem. Resolves with true if there is none. */
function report(): boolean {
  const rows = [...tallies].map(([tool, tally]) => [
    tool,
    tally
      ? {
          requests: tally.requests,
          "5xx": tally.serverErrors,
          hung: tally.hung,
          "let through": tally.letThrough,
          "rows changed": tally.rowsChanged,
        }
      : { requests: "not installed" },
  ]);
  if (rows.length > 0) console.table(Object.fromEntries(rows));
  if (Object.keys(memory).length > 0) console.table(memory);
  const all = [...problems, ...[...tallies.values()].flatMap((tally) => tally?.problems ?? [])];
  const times = Map.groupBy(all, (problem) => problem);
  const lines = [...times].map(([problem, { length }]) => (length > 1 ? `${problem} (${length} times)` : problem));
  for (const line of lines.slice(0, problemsShown)) console.log(line);
  if (lines.length > problemsShown) console.log(`… and ${lines.length - problemsShown} more.`);
  const failed = problems.length > 0 || [...tallies.values()].some((tally) => tally && hasFailed(tally));
  console.log(
    `${failed ? "Failed" : "Passed"} in ${((performance.now() - started) / 1000).toFixed(0)} s, --seed ${seed}.`,
  );
  return !failed;
}

function megabytes(bytes = 0): string {
  return (bytes / 2 ** 20).toFixed(0);
}

/** At a terminal, overwrites the previous message; elsewhere prints a line. */
function progress(message: string) {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  if (process.stdout.isTTY) process.stdout.write(`\r${message && `${seconds} s: ${message}`.padEnd(100)}\r`);
  else if (message) console.log(`${seconds} s: ${message}`);
}
