/**
 * `npm run chaos` kills processes while visitors send contacts. Is a contact that the server accepted lost afterwards,
 * stored twice or not announced to the owner? Sends contacts steadily while server, PostgreSQL, both, or the SMTP
 * server get SIGKILL at random; the SMTP server also refuses mails, hangs and disconnects. Uses 127.0.0.1 only. Ends
 * within minutes. If a process ends that the run did not kill, the run ends at once. `--contacts`, `--kills` and
 * `--seed` set the numbers of contacts and kills and the random seed; `--runs 12 --at-once 3` repeats the run with the
 * seeds that follow.
 */
import { parseArgs } from "node:util";
import { ensureBuilt } from "#server/pages/ensure-built";
import { readSettings } from "#server/settings";
import { testSiteSettings } from "#tests/support/site";
import { type Outcome, runChaos } from "./chaos/run.ts";

const { values: options } = parseArgs({
  options: {
    contacts: { type: "string", default: "1000" },
    kills: { type: "string", default: "30" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
    runs: { type: "string", default: "1" },
    "at-once": { type: "string", default: "1" },
  },
});
const contacts = Number(options.contacts);
const kills = Number(options.kills);
const seed = Number(options.seed);
const runs = Number(options.runs);
const atOnce = Number(options["at-once"]);

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());

const started = performance.now();
console.log(
  `${contacts} contacts, ${kills} kills, --seed ${seed}${runs > 1 ? `, ${runs} runs, ${atOnce} at once` : ""}.`,
);
// Built once here, so that parallel servers do not build it at the same time.
await ensureBuilt(readSettings({ ...process.env, ...testSiteSettings }), () => progress("building the site"));
const outcomes = await repeat();
report(outcomes);
// All child processes have ended. Exit explicitly, so that no open handle delays the end.
process.exit(!stopping.signal.aborted && outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1);

async function repeat(): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  let next = 0;
  const worker = async () => {
    while (next < runs && !stopping.signal.aborted) {
      const run = next++;
      let last = "";
      const progressOfRun = (message: string) => {
        if (message !== last) progress(runs > 1 ? `run ${run + 1}: ${message}` : message);
        last = message;
      };
      const outcome = await runChaos({
        contacts,
        kills,
        seed: seed + run,
        signal: stopping.signal,
        progress: progressOfRun,
      });
      outcomes.push(outcome);
      if (runs > 1 && !stopping.signal.aborted) reportRun(outcome, run);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return outcomes.sort((a, b) => a.seed - b.seed);
}

function reportRun({ seed, seconds, problems }: Outcome, run: number) {
  progress("");
  console.log(`Run ${run + 1} of ${runs} (--seed ${seed}): ${problems.length ? "failed" : "passed"}, ${seconds} s`);
}

function report(outcomes: readonly Outcome[]) {
  progress("");
  if (stopping.signal.aborted) return console.log("Stopped. All processes have ended and their files are removed.");

  const [only] = outcomes;
  if (runs === 1 && only) console.table({ "servers lost": only.serversLost, ...only.figures, seconds: only.seconds });
  else console.table(outcomes.map(row));
  for (const { seed, problems, folder } of outcomes) {
    for (const problem of problems) console.log(`--seed ${seed}: ${problem}`);
    if (folder) console.log(`What the servers wrote down is in ${folder}.`);
  }
  const total = (name: string) => outcomes.reduce((sum, { figures }) => sum + (figures[name] ?? 0), 0);
  const serversLost = outcomes.reduce((sum, outcome) => sum + outcome.serversLost, 0);
  console.log(
    `${outcomes.length} ${outcomes.length === 1 ? "run" : "runs"}: servers lost ${serversLost}, contacts accepted ${total("accepted")}, lost ${total("lost")}, doubled ${total("doubled")}.`,
  );
}

function row({ seed, figures, mustBeZero, serversLost, seconds }: Outcome) {
  return { seed, accepted: figures.accepted, "servers lost": serversLost, ...mustBeZero, seconds };
}

/** At a terminal, overwrites the previous message; elsewhere prints a line. */
function progress(message: string) {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  if (process.stdout.isTTY) process.stdout.write(`\r${message && `${seconds} s: ${message}`.padEnd(100)}\r`);
  else if (message) console.log(`${seconds} s: ${message}`);
}
