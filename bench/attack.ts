/**
 * `npm run attack` attacks a server of its own: does any request fail with 500, hang, or change what it must not? Sends
 * 20,000 bad requests to all routes, forged tokens, and requests that race at every limit, on 127.0.0.1 only.
 * `--requests` and `--seed` set the number of bad requests and the random seed; `--only INDEX` with the printed seed
 * repeats one of them and prints it with its answer. `--parts` selects parts.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureBuilt } from "#server/pages/ensure-built";
import { readSettings } from "#server/settings";
import { testSiteSettings } from "#tests/support/site";
import { startSmtp } from "#tests/support/smtp-server";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { findUnaccepted, runBadRequests } from "./attack/bad-requests.ts";
import { runForgedTokens } from "./attack/forged-tokens.ts";
import { accountMailsPerHour, runRaces } from "./attack/races.ts";
import { readSurface } from "./attack/surface.ts";
import { hasFailed, type Tally } from "./attack/tally.ts";
import { emails, loggedErrors, password, seedRows, startTarget, type Target } from "./attack/target.ts";
import { changedRows, readRows, readStoredContacts } from "./attack/untouched-rows.ts";

const { values: options } = parseArgs({
  options: {
    requests: { type: "string", default: "20000" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
    only: { type: "string" },
    parts: { type: "string", default: "requests,tokens,races" },
  },
});
const seed = Number(options.seed);
const indexes = options.only === undefined ? [...Array(Number(options.requests)).keys()] : [Number(options.only)];
const parts = options.only === undefined ? options.parts.split(",") : ["requests"];
const problemsShown = 40;
const progressEvery = 1000;

const stopping = new AbortController();
const { signal } = stopping;
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
  process.on(name, () => stopping.abort(new Error("Stopped. All processes have ended and their files are removed.")));

console.log(`${indexes.length} bad requests, --seed ${seed}.`);
const started = performance.now();
const folder = await mkdtemp(join(tmpdir(), "attack-"));
const tallies: Record<string, Tally> = {};
const problems: string[] = [];
try {
  // Built here, so that the time of a server's start is not that of the build.
  await ensureBuilt(readSettings({ ...process.env, ...testSiteSettings }), () => progress("building the site"));
  // With limits, the server would refuse most requests before it looks at them.
  if (parts.includes("requests")) await attack("bad requests", { AUTH_LIMITS: "off" }, sendBadRequests);
  if (parts.includes("tokens"))
    await attack("forged tokens", { AUTH_LIMITS: "off" }, (target) => runForgedTokens(target, seed));
  if (parts.includes("races")) await race();
} catch (error) {
  problems.push(signal.aborted ? String(signal.reason) : ((error as Error).stack ?? String(error)));
}
stopping.abort();
await endLeftoverProcesses(folder);
await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
process.exit(report() ? 0 : 1);

async function race() {
  const smtp = await startSmtp();
  const environment = { AUTH_LIMITS: "on", ACCOUNT_MAILS_PER_HOUR: `${accountMailsPerHour}`, SMTP_URL: smtp.url };
  await attack("races", environment, (target) => runRaces({ ...target, ports: [target.site.port] }));
  await smtp.stop();
}

/** Attacks a server of its own, and compares afterwards what the attack must not have changed. */
async function attack(name: string, environment: Record<string, string>, run: (target: Target) => Promise<Tally>) {
  const onEnded = (message: string) => stopping.abort(new Error(message));
  const target = await startTarget({ folder: join(folder, name), environment, signal, onEnded });
  await seedRows(target.database);
  progress(name);
  const before = await readRows(target.database);
  const tally = await run(target);
  tallies[name] = tally;
  const changed = changedRows(before, await readRows(target.database));
  tally.rowsChanged += changed.length;
  tally.problems.push(...changed.map((row) => `Changed: ${row}`));
  // The cause may be a request whose client was gone before the answer.
  for (const [error, times] of loggedErrors(target.site.output()))
    tally.problems.push(`The server logged this error ${times} times: ${error}`);
  await target.stop();
}

async function sendBadRequests(target: Target): Promise<Tally> {
  let answered = 0;
  const { tally, accepted } = await runBadRequests({
    ...{ port: target.site.port, seed, indexes, signal },
    surface: await readSurface(target.database),
    readKnowledge: () => readKnowledge(target),
    onAnswer(_index, request, { status, isHung, text }) {
      answered += 1;
      if (answered % progressEvery === 0) progress(`${answered} of ${indexes.length} bad requests`);
      if (options.only === undefined) return;
      console.log(`${request.description}\n\n${request.bytes.toString("latin1").slice(0, 3000)}\n`);
      console.log(`${isHung ? "No answer" : `Answer: ${status || "none, closed"}`}\n\n${text}`);
    },
  });
  const stored = findUnaccepted(await readStoredContacts(target.database), accepted);
  tally.rowsChanged += stored.length;
  tally.problems.push(...stored);
  return tally;
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

/** Prints the table and every problem. Returns true if there is none. */
function report(): boolean {
  const figures = Object.entries(tallies).map(([name, { problems: _, ...counts }]) => [name, counts]);
  if (figures.length > 0) console.table(Object.fromEntries(figures));
  const all = [...problems, ...Object.values(tallies).flatMap((tally) => tally.problems)];
  const times = Map.groupBy(all, (problem) => problem);
  const lines = [...times].map(([problem, { length }]) => (length > 1 ? `${problem} (${length} times)` : problem));
  for (const line of lines.slice(0, problemsShown)) console.log(line);
  if (lines.length > problemsShown) console.log(`… and ${lines.length - problemsShown} more.`);
  const failed = problems.length > 0 || Object.values(tallies).some(hasFailed);
  console.log(`${failed ? "Failed" : "Passed"} in ${seconds()} s, --seed ${seed}.`);
  return !failed;
}

function progress(message: string) {
  console.log(`${seconds()} s: ${message}`);
}

function seconds(): string {
  return ((performance.now() - started) / 1000).toFixed(0);
}
