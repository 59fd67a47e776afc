import type { BrandColours } from "#content/brand";
import { type Role, schemesOf } from "./colours.ts";
import { contrast, difference, formatHex, mix, parseHex } from "./oklch.ts";

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

/** `selected` is the ground of a selected row in `contacts-list.module.css`. */
type Ground = Role | "selected";

/**
 * Pairs of a colour and its ground, and the contrast that WCAG 2.2 asks for: 4.5:1 for texts (1.4.3), 3:1 for shapes
 * (1.4.11).
 */
const pairs: readonly { fronts: readonly Role[]; grounds: readonly Ground[]; ratioMin: number }[] = [
  { fronts: ["text", "text-soft", "accent", "danger"], grounds: ["ground", "ground-alt", "surface"], ratioMin: 4.5 },
  { fronts: ["text", "text-soft", "accent"], grounds: ["selected"], ratioMin: 4.5 },
  { fronts: ["on-button"], grounds: ["button", "button-hover"], ratioMin: 4.5 },
  { fronts: ["on-panel", "on-panel-soft", "highlight"], grounds: ["panel"], ratioMin: 4.5 },
  { fronts: ["on-highlight"], grounds: ["highlight"], ratioMin: 4.5 },
  { fronts: ["control-line", "leaf"], grounds: ["ground", "ground-alt", "surface"], ratioMin: 3 },
  { fronts: ["button"], grounds: ["ground", "ground-alt"], ratioMin: 3 },
  { fronts: ["panel-leaf", "danger"], grounds: ["panel"], ratioMin: 3 },
];

/** A bright highlight has little contrast with paper and is seen by its colour: 0.02 is a difference that eyes just notice. */
const highlightDifferenceMin = 0.1;

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
  return Object.entries(schemesOf(colours)).flatMap(([scheme, roles]) => {
    const values = { ...roles, selected: mix(roles.highlight, roles.ground, 0.2) };
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
    const unseen = (["ground", "ground-alt", "surface"] as const)
      .map((ground) => ({ ground, seen: Math.floor(difference(roles.highlight, roles[ground]) * 100) / 100 }))
      .filter(({ seen }) => seen < highlightDifferenceMin)
      .map(
        ({ ground, seen }) =>
          `highlight on ${ground} in the ${scheme} scheme differs by ${seen} and needs ${highlightDifferenceMin}`,
      );
    const unread = failing
      .filter((pair) => [...byValues.values()].includes(pair))
      .map(
        ({ front, ground, ratio, ratioMin }) =>
          `${front} on ${ground} in the ${scheme} scheme is ${ratio}:1 and needs ${ratioMin}:1`,
      );
    return [...unread, ...unseen];
  });
}

/** Rounded down, so that 4.49 does not read as 4.5. */
function ratioOf(values: Readonly<Record<Ground, string>>, front: Role, ground: Ground): number {
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
