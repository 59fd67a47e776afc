import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const css = readFileSync(new URL("tokens.css", import.meta.url), "utf8");
const [lightBlock = "", darkBlock = ""] = css.split("@media (prefers-color-scheme: dark)");
const light = readColours(lightBlock);
const dark = { ...light, ...readColours(darkBlock) };

/** The colours of texts and of their backgrounds. */
const text: readonly [string, string][] = [
  ...onEach(["ground", "ground-alt", "surface"], ["text", "text-soft", "accent", "danger"]),
  ...onEach(["button", "button-hover"], ["on-button"]),
  ...onEach(["panel"], ["on-panel", "on-panel-soft", "sprout"]),
  ...onEach(["sprout"], ["ink"]),
];

/** The colours of shapes (edges of inputs, focus outlines, bars and fern leaves) and of their backgrounds. */
const shapes: readonly [string, string][] = [
  ...onEach(["ground", "surface", "ground-alt"], ["control-line", "accent", "leaf"]),
  ...onEach(["ground", "ground-alt"], ["button"]),
];

describe.each([
  ["light", light],
  ["dark", dark],
])("in the %s colour scheme", (_, colours) => {
  test.each(text)("text in %s on %s has a contrast of at least 4.5:1", (front, back) => {
    expect(contrast(colours, front, back)).toBeGreaterThanOrEqual(4.5);
  });

  test.each(shapes)("a shape in %s on %s has a contrast of at least 3:1", (front, back) => {
    expect(contrast(colours, front, back)).toBeGreaterThanOrEqual(3);
  });
});

function onEach(backs: readonly string[], fronts: readonly string[]): [string, string][] {
  return backs.flatMap((back) => fronts.map((front): [string, string] => [front, back]));
}

function readColours(block: string): Record<string, string> {
  return Object.fromEntries(
    [...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value]),
  );
}

/** The contrast ratio of two colours, from their relative luminance as WCAG 2.2 defines both. */
function contrast(colours: Record<string, string>, front: string, back: string): number {
  const [darker = 0, lighter = 0] = [front, back].map((name) => luminance(colours[name])).sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(hex: string | undefined): number {
  if (!hex) throw new Error("This colour is not among the tokens.");
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
