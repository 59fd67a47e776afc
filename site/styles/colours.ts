import { type BrandColours, brandColours } from "#content/brand";
import { clamp, contrast, formatHex, type Oklch, parseHex } from "./oklch.ts";

/** The roles of colours, as the custom properties of the pages are named. */
export type Role = keyof ReturnType<typeof lightScheme>;
export type Colours = Readonly<Record<Role, string>>;

/** The colours that the values in this file were designed with. With them, those values come back unchanged. */
const designed = { primary: "#2a6248", ink: "#10231c", paper: "#faf7f0" };

/** Every colour of pages, drawings, icons, social card and mails, by role. An owner's colours are in `content/brand.ts`. */
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
