import type { BrandColours } from "./brand.ts";
import { type Colours, type Role, schemesOf } from "./colours.ts";
import { contrast, formatHex, parseHex } from "./oklch.ts";

/** Throws a sentence if a colour is in a notation that `oklch.ts` does not read. */
export function requireHexColours(colours: BrandColours) {
  const [problem] = notationProblems(colours);
  if (problem) throw new Error(problem);
}

function notationProblems(colours: BrandColours): string[] {
  return Object.entries(colours)
    .filter(([, value]) => !/^#[0-9a-f]{6}$/i.test(value))
    .map(
      ([name, value]) =>
        `content/brand.ts: the colour ${name} is "${value}". Write it as # and six hexadecimal digits, such as "#2a6248".`,
    );
}

/**
 * Pairs of a colour and its ground, and the contrast that WCAG 2.2 asks for: 4.5:1 for texts (1.4.3), 3:1 for shapes
 * (1.4.11).
 */
const pairs: readonly { fronts: readonly Role[]; grounds: readonly Role[]; ratioMin: number }[] = [
  { fronts: ["text", "text-soft", "accent", "danger"], grounds: ["ground", "ground-alt", "surface"], ratioMin: 4.5 },
  { fronts: ["on-button"], grounds: ["button", "button-hover"], ratioMin: 4.5 },
  { fronts: ["on-panel", "on-panel-soft", "highlight"], grounds: ["panel"], ratioMin: 4.5 },
  { fronts: ["on-highlight"], grounds: ["highlight"], ratioMin: 4.5 },
  { fronts: ["control-line", "leaf"], grounds: ["ground", "ground-alt", "surface"], ratioMin: 3 },
  { fronts: ["button"], grounds: ["ground", "ground-alt"], ratioMin: 3 },
  { fronts: ["panel-leaf"], grounds: ["panel"], ratioMin: 3 },
];

/** Says in words for an owner that colours are hard to read and which would do, and then each pair with its contrast. */
export function contrastProblems(colours: BrandColours): string[] {
  const unreadable = notationProblems(colours);
  if (unreadable.length > 0) return unreadable;
  const problems = failingPairs(colours);
  if (problems.length === 0) return [];
  const remedy = findRemedy(colours);
  const advice = remedy ? `, and would not be with ${remedy} in content/brand.ts` : "";
  return [`Parts of the site are hard to read${advice}. Measured: ${problems.join("; ")}.`];
}

function failingPairs(colours: BrandColours): string[] {
  return Object.entries(schemesOf(colours)).flatMap(([scheme, values]) => {
    const failing = pairs
      .flatMap(({ fronts, grounds, ratioMin }) =>
        grounds.flatMap((ground) =>
          fronts.map((front) => ({ front, ground, ratioMin, ratio: ratioOf(values, front, ground) })),
        ),
      )
      .filter(({ ratio, ratioMin }) => ratio < ratioMin);
    // Two roles often have the same colour; each pair of colours is reported once.
    const byValues = new Map(
      failing.toReversed().map((pair) => [[values[pair.front], values[pair.ground]].sort().join(), pair]),
    );
    return failing
      .filter((pair) => [...byValues.values()].includes(pair))
      .map(
        ({ front, ground, ratio, ratioMin }) =>
          `${front} on ${ground} in the ${scheme} scheme is ${ratio}:1 and needs ${ratioMin}:1`,
      );
  });
}

/** Rounded down, so that 4.49 does not read as 4.5. */
function ratioOf(values: Colours, front: Role, ground: Role): number {
  return Math.floor(contrast(values[front], values[ground]) * 10) / 10;
}

/** Finds the owner's colour that makes every pair readable if only its lightness changes, and that as little as possible. */
function findRemedy(colours: BrandColours): string | undefined {
  for (let step = 0.01; step < 1; step += 0.01) {
    for (const [name, value] of Object.entries(colours)) {
      const colour = parseHex(value);
      for (const lightness of [colour.lightness - step, colour.lightness + step]) {
        const changed = formatHex({ ...colour, lightness });
        if (failingPairs({ ...colours, [name]: changed }).length === 0) return `${name}: "${changed}"`;
      }
    }
  }
  return undefined;
}
