import { join } from "node:path";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
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

/** Loads one side for some seconds, and resolves with its figures. */
export type Side = (seconds: number) => Promise<Record<string, number>>;

interface Comparison {
  question: string;
  /** A side, and the name of its figure. */
  ours: readonly [side: string, figure: string];
  rival: readonly [side: string, figure: string];
  unit: "/s" | " ms";
  /** The limit of the ratio. Without one, the row is only for scale. */
  atLeast?: number;
  below?: number;
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

/**
 * Loads the sides in turn, once in each round, and compares their figures round by round, so that noise which lasts longer
 * than a round hits both sides of a ratio. A first, shorter round is not counted: it lets Node compile the code in use,
 * and fills caches.
 */
export async function compareSides(
  run: Run,
  sides: Readonly<Record<string, Side>>,
  comparisons: readonly Comparison[],
): Promise<Row[]> {
  const rounds: Record<string, Record<string, number>>[] = [];
  for (let round = 0; round <= run.rounds; round++) {
    const figures: Record<string, Record<string, number>> = {};
    for (const [name, load] of Object.entries(sides)) {
      run.signal.throwIfAborted();
      run.progress(`${round === 0 ? "warm-up" : `round ${round} of ${run.rounds}`}: ${name}`);
      figures[name] = await load(round === 0 ? 1 : run.seconds);
    }
    if (round > 0) rounds.push(figures);
  }
  return comparisons.map(({ question, ours, rival, unit, atLeast = 0, below = Number.POSITIVE_INFINITY }) => {
    const figuresOf = ([side, figure]: Comparison["ours"]) => rounds.map((each) => each[side]?.[figure] ?? Number.NaN);
    const others = figuresOf(rival);
    const ratios = figuresOf(ours).map((value, round) => value / (others[round] ?? Number.NaN));
    const ratio = quantile(ratios);
    const goal = atLeast ? `at least ${atLeast}` : below < Number.POSITIVE_INFINITY ? `below ${below}` : "";
    return {
      question,
      ours: shortened(quantile(figuresOf(ours))) + unit,
      rival: `${shortened(quantile(others))}${unit} (${rival[0]})`,
      ratio: shortened(ratio),
      spread: `${shortened(Math.min(...ratios))} to ${shortened(Math.max(...ratios))}`,
      goal,
      met: goal && (ratio >= atLeast && ratio < below ? "yes" : "NO"),
    };
  });
}

/** Three digits are enough for figures with this spread. */
function shortened(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString("en-GB") : String(Number(figure.toPrecision(2)));
}
