/**
 * `npm run bench`: how fast is the product, compared with what is underneath? Each question runs ours and its rivals in
 * turn, five rounds, and its row has the medians. Prints one table, and fails if a goal is missed. Everything runs on
 * 127.0.0.1 with data of its own and takes about ten minutes. `--only page,contact` selects questions by their names,
 * `--rounds` and `--short` make it shorter (a short run tells nothing about goals), `--markdown` prints the table as
 * docs/measuring.md keeps it. What is not installed is skipped and named.
 */
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { contactHttp } from "./performance/contact-http.ts";
import { contactRules } from "./performance/contact-rules.ts";
import { page } from "./performance/page.ts";
import { findMissing, type Program } from "./performance/programs.ts";
import { reads } from "./performance/reads.ts";
import type { Row } from "./performance/row.ts";
import type { Question } from "./performance/run.ts";
import { signIn } from "./performance/sign-in.ts";
import { start } from "./performance/start.ts";
import { asMarkdown, asText } from "./performance/table.ts";

/** In the order of the table, with the programs that each cannot do without. */
const questions: Record<string, { answer: Question; needs: readonly Program[] }> = {
  page: { answer: page, needs: ["wrk"] },
  "contact-rules": { answer: contactRules, needs: ["pgbench"] },
  "contact-http": { answer: contactHttp, needs: ["wrk"] },
  reads: { answer: reads, needs: ["wrk"] },
  start: { answer: start, needs: [] },
  "sign-in": { answer: signIn, needs: [] },
};

const { values: options } = parseArgs({
  options: {
    only: { type: "string", default: "" },
    rounds: { type: "string" },
    short: { type: "boolean", default: false },
    markdown: { type: "boolean", default: false },
  },
});
const rounds = Number(options.rounds ?? (options.short ? 1 : 5));
const seconds = options.short ? 1 : 3;
const names = options.only.split(",").map((part) => part.trim());
const selected = Object.entries(questions).filter(([name]) => names.some((part) => name.startsWith(part)));
if (selected.length === 0) throw new Error(`--only selects none of ${Object.keys(questions).join(", ")}.`);

const stopping = new AbortController();
for (const name of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(name, () => stopping.abort());
const folder = await realpath(await mkdtemp(join(tmpdir(), "bench-")));
// The processes of this run, and no others, are found by this folder (scripts/leftover-processes.mjs).
process.env.TMPDIR = folder;

const begin = performance.now();
const rows: Row[] = [];
const failures: string[] = [];
for (const [name, { answer, needs }] of selected) {
  if (stopping.signal.aborted) break;
  const missing = needs.map(findMissing).find((sentence) => sentence !== undefined);
  if (missing) progress(`${name} is skipped. ${missing}`);
  else rows.push(...(await ask(name, answer)));
}
await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });

if (rows.length > 0) console.log(options.markdown ? `${asMarkdown(rows)}\n` : `\n${asText(rows)}\n`);
const missed = rows.filter(({ met }) => met === false).length;
const isJudged = !options.short;
const verdict = isJudged ? `${missed} goals missed` : "A short run does not judge the goals";
progress(`${verdict}, ${Math.round((performance.now() - begin) / 1000)} s.`);
for (const failure of failures) progress(failure);
process.exit(failures.length > 0 || stopping.signal.aborted || (isJudged && missed > 0) ? 1 : 0);

/** Runs one question, and ends all processes that it has started. */
async function ask(name: string, question: Question): Promise<Row[]> {
  const answered = new AbortController();
  const signal = AbortSignal.any([stopping.signal, answered.signal]);
  const run = { rounds, seconds, folder: join(folder, name), signal };
  await mkdir(run.folder);
  progress(name);
  try {
    return await question({ ...run, progress: (text) => progress(`${name}, ${text}`) });
  } catch (error) {
    if (!stopping.signal.aborted) failures.push(`${name} failed: ${(error as Error).stack}`);
    return [];
  } finally {
    answered.abort();
    await endLeftoverProcesses(folder);
  }
}

/** Goes to standard error, so that standard output has the table only. */
function progress(text: string) {
  process.stderr.write(`${text}\n`);
}
