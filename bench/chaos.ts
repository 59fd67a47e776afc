/**
 * `npm run chaos`: does a contact that was answered with success survive SIGKILL of everything, is none stored twice,
 * and does its owner hear of each? Contacts come steadily while server, PostgreSQL, both, and the SMTP server are killed
 * at random; the SMTP server also refuses, hangs and dies in mid-sentence by itself. Talks to 127.0.0.1 only; ends by
 * itself, within minutes, and at once when a process ends that was not killed. `--contacts`, `--kills` and `--seed`
 * change how many of them, and which chance; `--runs 12 --at-once 3` repeats it with the seeds that follow.
 */
import { parseArgs } from "node:util";
import { ensureBuilt } from "#server/pages/build";
import { readSettings } from "#server/settings";
import { testSiteSettings } from "#tests/support/site";
import { type Outcome, runChaos } from "./chaos/run.ts";

const { values: size } = parseArgs({
  options: {
    contacts: { type: "string", default: "1000" },
    kills: { type: "string", default: "30" },
    seed: { type: "string", default: `${Math.floor(Math.random() * 2 ** 31)}` },
    runs: { type: "string", default: "1" },
    "at-once": { type: "string", default: "1" },
  },
});
const contacts = Number(size.contacts);
const kills = Number(size.kills);
const seed = Number(size.seed);
const runs = Number(size.runs);
const atOnce = Number(size["at-once"]);

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());

const started = performance.now();
console.log(
  `${contacts} contacts, ${kills} kills, --seed ${seed}${runs > 1 ? `, ${runs} runs, ${atOnce} at once` : ""}.`,
);
// Before several servers find at once that it is missing.
await ensureBuilt(readSettings({ ...process.env, ...testSiteSettings }), () => progress("building the site"));
const outcomes = await repeat();
report(outcomes);
// The end of all that was started has been waited for: nothing that is left may hold up the end of this process.
process.exit(!stopping.signal.aborted && outcomes.every(({ problems }) => problems.length === 0) ? 0 : 1);

async function repeat(): Promise<Outcome[]> {
  const done: Outcome[] = [];
  let next = 0;
  const worker = async () => {
    while (next < runs && !stopping.signal.aborted) {
      const run = next++;
      let last = "";
      const say = (words: string) => {
        if (words !== last) progress(runs > 1 ? `run ${run + 1}: ${words}` : words);
        last = words;
      };
      const outcome = await runChaos({ contacts, kills, seed: seed + run, signal: stopping.signal, progress: say });
      done.push(outcome);
      if (runs > 1 && !stopping.signal.aborted) tell(outcome, run);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  return done.sort((a, b) => a.seed - b.seed);
}

function tell({ seed: its, seconds, problems }: Outcome, run: number) {
  progress("");
  console.log(`Run ${run + 1} of ${runs} (--seed ${its}): ${problems.length ? "failed" : "passed"}, ${seconds} s`);
}

function report(outcomes: readonly Outcome[]) {
  progress("");
  if (stopping.signal.aborted) return console.log("Stopped; all that was started has ended and is removed.");

  const [only] = outcomes;
  if (runs === 1 && only) console.table({ "servers lost": only.serversLost, ...only.figures, seconds: only.seconds });
  else console.table(outcomes.map(row));
  for (const { seed: its, problems, folder } of outcomes) {
    for (const problem of problems) console.log(`--seed ${its}: ${problem}`);
    if (folder) console.log(`What the servers wrote down is in ${folder}.`);
  }
  const total = (name: string) => outcomes.reduce((sum, { figures }) => sum + (figures[name] ?? 0), 0);
  const serversLost = outcomes.reduce((sum, outcome) => sum + outcome.serversLost, 0);
  console.log(
    `${outcomes.length} ${outcomes.length === 1 ? "run" : "runs"}: servers lost ${serversLost}, contacts accepted ${total("accepted")}, lost ${total("lost")}, doubled ${total("doubled")}.`,
  );
}

function row({ seed: its, figures, mustBeNone, serversLost, seconds }: Outcome) {
  return { seed: its, accepted: figures.accepted, "servers lost": serversLost, ...mustBeNone, seconds };
}

/** Over the last one at a terminal, else a line of its own. */
function progress(words: string) {
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  if (process.stdout.isTTY) process.stdout.write(`\r${words && `${seconds} s: ${words}`.padEnd(100)}\r`);
  else if (words) console.log(`${seconds} s: ${words}`);
}
