import type { Row } from "./row.ts";

/** What every question of `npm run bench` gets. */
export interface Run {
  rounds: number;
  /** How long one side of one round is loaded. */
  seconds: number;
  /** A temporary folder of this question. */
  folder: string;
  /** Aborts when the question is answered, or when the run is stopped. It ends every program of the question. */
  signal: AbortSignal;
  progress(text: string): void;
}

export type Question = (run: Run) => Promise<Row[]>;

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
