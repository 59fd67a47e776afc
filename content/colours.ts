import { type BrandColours, brandColours } from "./brand.ts";
import { clamp, contrast, formatHex, type Oklch, parseHex } from "./oklch.ts";

/** The roles of colours, as the custom properties of the pages are named. */
export type Role = keyof ReturnType<typeof lightScheme>;
export type Colours = Readonly<Record<Role, string>>;

/** The colours that the values in this file were designed with. With them, those values come back unchanged. */
const designed = { primary: "#2a6248", ink: "#10231c", paper: "#faf7f0" };

/** Every colour of pages, drawings, icons, social card and mails, by role. An owner's colours are in `brand.ts`. */
export const { light, dark } = schemesOf(brandColours);

export function schemesOf(colours: BrandColours): { light: Colours; dark: Colours } {
  const { primary, highlight, paper = designed.paper } = colours;
  const ink = colours.ink ?? tint("#10231c", primary);
  const light = lightScheme({ primary, highlight, ink, paper });
  return { light, dark: { ...light, ...darkScheme({ primary, ink, paper }) } };
}

function lightScheme({ primary, highlight, ink, paper }: Required<BrandColours>) {
  const groundAlt = tint("#e6efe7", primary);
  return {
    ground: paper,
    "ground-alt": groundAlt,
    surface: step("#fffdf9", "paper", paper),
    text: ink,
    "text-soft": tint("#46594f", primary),
    accent: primary,
    rule: tint("#cfd9cf", primary),
    "control-line": tint("#6a7d72", primary),
    danger: readable("#b4492a", groundAlt),
    button: primary,
    "button-hover": step("#1d4a36", "primary", primary),
    "on-button": paper,
    panel: ink,
    "panel-rule": step("#31473d", "ink", ink),
    "on-panel": paper,
    "on-panel-soft": tint("#b7c8bd", primary),
    "panel-leaf": tint("#8fd0ae", primary),
    leaf: primary,
    highlight,
    "on-highlight": ink,
  };
}

function darkScheme({ primary, ink, paper }: Omit<Required<BrandColours>, "highlight">): Partial<Colours> {
  const accent = tint("#8fd0ae", primary);
  const surface = step("#1b372d", "ink", ink);
  return {
    ground: ink,
    "ground-alt": step("#173027", "ink", ink),
    surface,
    text: paper,
    "text-soft": tint("#b7c8bd", primary),
    accent,
    rule: step("#2d4a3e", "ink", ink),
    "control-line": tint("#7f9a8c", primary),
    danger: readable("#f4a58c", surface),
    button: accent,
    "button-hover": tint("#b1e2c8", primary),
    "on-button": ink,
    panel: step("#0a1712", "ink", ink),
    "panel-rule": step("#2d4a3e", "ink", ink),
    leaf: accent,
  };
}

/**
 * A colour with the hue of the owner's primary colour, and at most the chroma that it was designed with: beside a loud
 * primary colour, grounds stay quiet and the dark scheme stays easy on the eyes. Its lightness, and so its contrast, stays.
 */
function tint(hex: string, primary: string): string {
  const turned = turn(parseHex(hex), parseHex(designed.primary), parseHex(primary));
  return formatHex({ ...turned, chroma: Math.min(turned.chroma, parseHex(hex).chroma) });
}

/** A colour that keeps its distance in lightness from one of the owner's. */
function step(hex: string, name: keyof typeof designed, own: string): string {
  const [from, to] = [parseHex(designed[name]), parseHex(own)];
  const turned = turn(parseHex(hex), from, to);
  return formatHex({ ...turned, lightness: clamp(turned.lightness + to.lightness - from.lightness) });
}

function turn({ lightness, chroma, hue }: Oklch, from: Oklch, to: Oklch): Oklch {
  return { lightness, chroma: (chroma * to.chroma) / from.chroma, hue: hue + to.hue - from.hue };
}

/** A text colour, moved away from its ground until it can be read. */
function readable(hex: string, ground: string): string {
  const colour = parseHex(hex);
  const direction = colour.lightness < parseHex(ground).lightness ? -1 : 1;
  let lightness = colour.lightness;
  while (contrast(formatHex({ ...colour, lightness }), ground) < 4.5 && lightness > 0 && lightness < 1)
    lightness = clamp(lightness + direction * 0.005);
  return formatHex({ ...colour, lightness });
}

/** Throws a sentence if a colour is in a notation that the functions above do not read. */
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

/** Pairs of a colour and its ground, and the contrast that WCAG 2.2 asks for: 4.5:1 for texts (1.4.3), 3:1 for shapes (1.4.11). */
const pairs: readonly { fronts: readonly Role[]; grounds: readonly Role[]; ratioMin: number }[] = [
  { fronts: ["text", "text-soft", "accent", "danger"], grounds: ["ground", "ground-alt", "surface"], ratioMin: 4.5 },
  { fronts: ["on-button"], grounds: ["button", "button-hover"], ratioMin: 4.5 },
  { fronts: ["on-panel", "on-panel-soft", "highlight"], grounds: ["panel"], ratioMin: 4.5 },
  { fronts: ["on-highlight"], grounds: ["highlight"], ratioMin: 4.5 },
  { fronts: ["control-line", "leaf"], grounds: ["ground", "ground-alt", "surface"], ratioMin: 3 },
  { fronts: ["button"], grounds: ["ground", "ground-alt"], ratioMin: 3 },
  { fronts: ["panel-leaf"], grounds: ["panel"], ratioMin: 3 },
];

/** Returns a sentence for each pair of colours that is hard to read, such as "accent on ground in the dark scheme is 3.9:1, …". */
export function contrastProblems(colours: BrandColours): string[] {
  const unreadable = notationProblems(colours);
  if (unreadable.length > 0) return unreadable;
  const problems = failingPairs(colours);
  const remedy = problems.length > 0 ? findRemedy(colours) : undefined;
  return problems.map((problem) => `${problem}${remedy ? `; ${remedy} would do` : ""}.`);
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
    // Two roles often have one value; an owner reads about each two values once.
    const byValues = new Map(
      failing.toReversed().map((pair) => [[values[pair.front], values[pair.ground]].sort().join(), pair]),
    );
    return failing
      .filter((pair) => [...byValues.values()].includes(pair))
      .map(
        ({ front, ground, ratio, ratioMin }) =>
          `${front} on ${ground} in the ${scheme} scheme is ${ratio}:1, needs ${ratioMin}:1`,
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
