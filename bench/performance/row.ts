import { quantile } from "../load/quantile.ts";

/** One line of the closing table. */
export interface Row {
  question: string;
  ours: string;
  /** The figure of what is compared, followed by its name in brackets. */
  rival: string;
  /** The median of the ratios of all rounds, ours divided by the rival's. */
  ratio: number;
  /** The smallest and the largest ratio of a round. */
  spread: string;
  goal?: string;
  met?: boolean;
}

type Unit = "/s" | "ms" | "s";

interface Comparison {
  question: string;
  unit: Unit;
  /** One figure for each round, in the order of the rounds. */
  ours: readonly number[];
  rival: { name: string; figures: readonly number[] };
  /** The limits of the ratio, or of our own figure. Without one, the row is only for scale. */
  goal?: { ratioAtLeast: number } | { ratioBelow: number } | { oursAtMost: number };
}

/** Compares the figures round by round, so that noise which lasts longer than a round hits both sides of a ratio. */
export function compare({ question, unit, ours, rival, goal }: Comparison): Row {
  const ratios = ours.map((figure, round) => figure / (rival.figures[round] ?? Number.NaN));
  const [figure, ratio] = [median(ours), median(ratios)];
  return {
    question,
    ours: show(figure, unit),
    rival: `${show(median(rival.figures), unit)} (${rival.name})`,
    ratio,
    spread: `${shortened(Math.min(...ratios))} to ${shortened(Math.max(...ratios))}`,
    ...(goal && judge(goal, figure, ratio, unit)),
  };
}

function judge(goal: NonNullable<Comparison["goal"]>, figure: number, ratio: number, unit: Unit) {
  if ("ratioAtLeast" in goal) return { goal: `at least ${goal.ratioAtLeast}`, met: ratio >= goal.ratioAtLeast };
  if ("ratioBelow" in goal) return { goal: `below ${goal.ratioBelow}`, met: ratio < goal.ratioBelow };
  return { goal: `at most ${show(goal.oursAtMost, unit)}`, met: figure <= goal.oursAtMost };
}

function median(figures: readonly number[]): number {
  return quantile(figures, 0.5);
}

/** Three digits are enough for figures with this spread. */
export function shortened(figure: number): string {
  return figure >= 100 ? Math.round(figure).toLocaleString("en-GB") : String(Number(figure.toPrecision(2)));
}

function show(figure: number, unit: Unit): string {
  return unit === "/s" ? `${shortened(figure)}/s` : `${shortened(figure)} ${unit}`;
}
