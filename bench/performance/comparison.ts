import { execFileSync } from "node:child_process";
import { availableParallelism, totalmem } from "node:os";
import { join } from "node:path";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { startMailServer } from "../load/mail-server.ts";
import { type Measurement, startServer } from "../load/measurement.ts";
import { quantile } from "../load/quantile.ts";

/** What every question of `npm run bench` gets. */
export interface Run extends Measurement {
  rounds: number;
  /** How long one side of one round is loaded. */
  seconds: number;
}

export type Question = (run: Run) => Promise<Row[]>;

/** The server with its embedded PostgreSQL and a mail server, as an operator has them. */
export async function startBenchSite(run: Run) {
  const dataDir = join(run.folder, "data");
  const mail = await startMailServer();
  const environment = { SMTP_URL: mail.url, NOTIFY_TO: "owner@bench.example" };
  const { url, pid } = await startServer(run, { dataDir, environment });
  return { url, pid, dataDir, connection: await embeddedConnection(dataDir) };
}

type Sides = Record<string, (seconds: number) => Promise<unknown>>;
type FiguresOf<S extends Sides> = { [Side in keyof S]: Awaited<ReturnType<S[Side]>>[] };

/**
 * Loads the sides in turn, once in each round. A first, shorter round is not counted: it lets Node compile the code in
 * use, and fills caches.
 */
export async function alternate<S extends Sides>(run: Run, sides: S): Promise<FiguresOf<S>> {
  const figures = Object.fromEntries(Object.keys(sides).map((name) => [name, [] as unknown[]]));
  for (let round = 0; round <= run.rounds; round++) {
    for (const [name, load] of Object.entries(sides)) {
      run.signal.throwIfAborted();
      run.progress(`${round === 0 ? "warm-up" : `round ${round} of ${run.rounds}`}: ${name}`);
      const figure = await load(round === 0 ? 1 : run.seconds);
      if (round > 0) figures[name]?.push(figure);
    }
  }
  return figures as FiguresOf<S>;
}

/** One line of the closing table. */
export interface Row {
  question: string;
  ours: string;
  /** The figure of what is compared, followed by its name in brackets. */
  rival: string;
  /** The median of the ratios of all rounds, ours divided by the rival's. */
  ratio: string;
  /** The smallest and the largest ratio of a round. */
  spread: string;
  goal: string;
  met: "yes" | "NO" | "";
}

interface Comparison {
  question: string;
  unit: "/s" | " ms" | " s";
  /** One figure for each round, in the order of the rounds. */
  ours: readonly number[];
  rival: { name: string; figures: readonly number[] };
  /** The limits of the ratio, or of our own figure. Without one, the row is only for scale. */
  goal?: { ratioAtLeast?: number; ratioBelow?: number; oursAtMost?: number };
}

/** Compares the figures round by round, so that noise which lasts longer than a round hits both sides of a ratio. */
export function compare({ question, unit, ours, rival, goal = {} }: Comparison): Row {
  const ratios = ours.map((figure, round) => figure / (rival.figures[round] ?? Number.NaN));
  const [figure, ratio] = [quantile(ours, 0.5), quantile(ratios, 0.5)];
  const { ratioAtLeast, ratioBelow, oursAtMost } = goal;
  const [text, isMet] =
    ratioAtLeast !== undefined
      ? [`at least ${ratioAtLeast}`, ratio >= ratioAtLeast]
      : ratioBelow !== undefined
        ? [`below ${ratioBelow}`, ratio < ratioBelow]
        : oursAtMost !== undefined
          ? [`at most ${oursAtMost}${unit}`, figure <= oursAtMost]
          : ["", undefined];
  return {
    question,
    ours: shortened(figure) + unit,
    rival: `${shortened(quantile(rival.figures, 0.5))}${unit} (${rival.name})`,
    ratio: shortened(ratio),
    spread: `${shortened(Math.min(...ratios))} to ${shortened(Math.max(...ratios))}`,
    goal: text,
    met: isMet === undefined ? "" : isMet ? "yes" : "NO",
  };
}

/** Three digits are enough for figures with this spread. */
function shortened(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString("en-GB") : String(Number(figure.toPrecision(2)));
}

/** The section of docs/measuring.md that keeps the last full run. */
export function asMarkdown(rows: readonly Row[]): string {
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { encoding: "utf8" }).trim();
  const machine = `${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GB of memory`;
  const names = Object.keys(rows[0] ?? {});
  const lines = [names, names.map(() => "---"), ...rows.map(Object.values)].map((cells) => `| ${cells.join(" | ")} |`);
  const date = new Date().toISOString().slice(0, 10);
  return `\n${date}, commit ${commit}: ${machine}; Node ${process.versions.node}.\n\n${lines.join("\n")}\n`;
}
