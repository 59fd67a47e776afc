/**
 * `npm run bench`: how fast is the product, compared with what is underneath? Each question runs ours and its rivals in
 * turn, five rounds, and its row has the medians. Fails if a goal is missed. Everything runs on 127.0.0.1 with data of its
 * own and takes about six minutes. `--only contact,start` selects questions by their names, `--rounds` and `--short` make it
 * shorter (a short run tells nothing about goals). A question whose program is not installed is skipped and named.
 */
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { which } from "../scripts/debian-packages.mjs";
import { endLeftoverProcesses } from "../scripts/leftover-processes.mjs";
import { type Measurement, runMeasurement } from "./load/measurement.ts";
import type { Question, Row } from "./performance/comparison.ts";
import { contactHttp } from "./performance/contact-http.ts";
import { signIns } from "./performance/sign-in.ts";
import { start } from "./performance/start.ts";

/** In the order of the table, with the programs that each cannot do without. */
const questions: Record<string, { answer: Question; needs: readonly string[] }> = {
  "contact-http": { answer: contactHttp, needs: ["wrk"] },
  start: { answer: start, needs: [] },
  "sign-in": { answer: signIns, needs: ["wrk"] },
};

const { values: options } = parseArgs({
  options: { only: { type: "string", default: "" }, rounds: { type: "string" }, short: { type: "boolean" } },
});
const rounds = Number(options.rounds ?? (options.short ? 1 : 5));
const seconds = options.short ? 1 : 3;
const names = options.only.split(",").map((part) => part.trim());

await runMeasurement("bench", async (measurement) => {
  const rows: Row[] = [];
  for (const [name, { answer, needs }] of Object.entries(questions)) {
    if (!names.some((part) => name.startsWith(part))) continue;
    const missing = needs.filter((program) => !which(program));
    if (missing.length > 0) measurement.progress(`${name} is skipped: ${missing.join(" and ")} must be installed.`);
    else rows.push(...(await ask(measurement, name, answer)));
  }
  const missed = options.short ? [] : rows.filter(({ met }) => met === "NO");
  return { figures: rows, problems: missed.map(({ question }) => `A goal is missed: ${question}.`) };
});

/** Runs one question, and ends all processes that it has started. */
async function ask(measurement: Measurement, name: string, question: Question): Promise<Row[]> {
  const answered = new AbortController();
  const signal = AbortSignal.any([measurement.signal, answered.signal]);
  const folder = join(measurement.folder, name);
  await mkdir(folder);
  const progress = (text: string) => measurement.progress(`${name}, ${text}`);
  try {
    return await question({ ...measurement, rounds, seconds, folder, signal, progress });
  } finally {
    answered.abort();
    await endLeftoverProcesses(measurement.folder);
  }
}
