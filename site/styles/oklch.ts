/**
 * A colour by lightness (0 to 1), chroma and hue (in degrees), as CSS has it in `oklch()`: colours of one lightness look
 * equally light, whatever their hue. The numbers are those of CSS Color 4.
 */
export interface Oklch {
  lightness: number;
  chroma: number;
  hue: number;
}

type Triple = readonly [number, number, number];

/** Reads a colour such as `#2a6248`. */
export function parseHex(hex: string): Oklch {
  const [red, green, blue] = linearRgb(hex);
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue);
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue);
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue);
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    chroma: Math.hypot(a, b),
    hue: (Math.atan2(b, a) * 180) / Math.PI,
  };
}

/** A colour that screens cannot show loses chroma until they can. */
export function formatHex(colour: Oklch): string {
  for (let share = 1; ; share -= 0.01) {
    const rgb = toRgb({ ...colour, chroma: Math.max(0, colour.chroma * share) });
    if (share > 0 && rgb.some((value) => value < -0.001 || value > 1.001)) continue;
    return `#${rgb
      .map((value) =>
        Math.round(clamp(value) * 255)
          .toString(16)
          .padStart(2, "0"),
      )
      .join("")}`;
  }
}

/** The contrast ratio of two colours, from their relative luminance as WCAG 2.2 defines both. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** How different two colours look: their distance in OKLab. */
export function difference(one: string, other: string): number {
  const [from, to] = [parseHex(one), parseHex(other)];
  const angle = ((from.hue - to.hue) * Math.PI) / 180;
  const chroma = from.chroma ** 2 + to.chroma ** 2 - 2 * from.chroma * to.chroma * Math.cos(angle);
  return Math.hypot(from.lightness - to.lightness, Math.sqrt(Math.max(0, chroma)));
}

/** What `color-mix(in srgb, …)` gives with this share of the first colour. */
export function mix(one: string, other: string, share: number): string {
  const channel = (hex: string, at: number) => Number.parseInt(hex.slice(at, at + 2), 16);
  const mixed = [1, 3, 5].map((at) => Math.round(share * channel(one, at) + (1 - share) * channel(other, at)));
  return `#${mixed.map((value) => value.toString(16).padStart(2, "0")).join("")}`;
}

function luminance(hex: string): number {
  const [red, green, blue] = linearRgb(hex);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function linearRgb(hex: string): Triple {
  const channel = (at: number) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return [channel(1), channel(3), channel(5)];
}

function toRgb({ lightness, chroma, hue }: Oklch): Triple {
  const a = chroma * Math.cos((hue * Math.PI) / 180);
  const b = chroma * Math.sin((hue * Math.PI) / 180);
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encode(4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short),
    encode(-1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short),
    encode(-0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short),
  ];
}

function encode(linear: number): number {
  return linear <= 0.0031308 ? linear * 12.92 : 1.055 * linear ** (1 / 2.4) - 0.055;
}

export function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
