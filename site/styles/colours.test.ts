import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { brandColours } from "#content/brand";
import { contrastProblems, requireHexColours } from "./colour-checks.ts";
import { schemesOf } from "./colours.ts";
import { contrast, formatHex, parseHex } from "./oklch.ts";

const highlight = "#c8f169";

test("every text and shape in the colours of brand.ts can be read in both schemes", () => {
  expect(contrastProblems(brandColours)).toEqual([]);
});

test("colours that are hard to read are told in one sentence, with one that would do and the contrast of each pair", () => {
  const [problem, ...others] = contrastProblems({ primary: "#808080", highlight });
  expect(others).toEqual([]);
  expect(problem).toMatch(
    /^Parts of the site are hard to read, and would not be with primary: "#696969" in content\/brand\.ts\. Measured: /,
  );
  expect(problem).toContain("accent on ground-alt in the light scheme is 3.3:1 and needs 4.5:1");
  // These are the same two values as accent on ground.
  expect(problem).not.toContain("on-button");
  expect(contrastProblems({ primary: "#696969", highlight })).toEqual([]);
  expect(contrastProblems({ primary: "#2e7a4e", highlight }).join()).toContain(
    "ground-alt in the light scheme is 4.4:1",
  );
  expect(contrastProblems({ primary: "#1f4e9a", highlight: "#7722dd" }).join()).toMatch(
    /with highlight: "#\w{6}" in .+ highlight on panel in the dark scheme is \S+:1 and needs 4\.5:1/,
  );
});

test.each(["#faf7f0", "#ffffff", "#f5f5f0", "#e6efe7", "#e0e0e0", "#fff3d0"])(
  "the highlight %s, which is hardly seen on the light grounds, is told with one that is seen",
  (pale) => {
    const [problem, ...others] = contrastProblems({ primary: "#2a6248", highlight: pale });
    expect(others).toEqual([]);
    expect(problem).toMatch(/highlight on \S+ in the light scheme differs by 0\.0\d and needs 0\.1/);
    const [, name, remedy = ""] = /with (\w+): "(#\w{6})"/.exec(problem ?? "") ?? [];
    expect(name).toBe("highlight");
    expect(contrastProblems({ primary: "#2a6248", highlight: remedy })).toEqual([]);
  },
);

test("what stands in a selected row, and the mark of an error on a panel, can be told from it", () => {
  const css = readFileSync("site/islands/contacts-inbox/list/contacts-list.module.css", "utf8");
  expect(css).toContain("color-mix(in srgb, var(--highlight) 20%, var(--ground))");
  const dim = { primary: "#463036", highlight: "#d6d0f5", ink: "#352d47", paper: "#fdfffe" };
  expect(contrastProblems(dim).join()).toContain("accent on selected in the dark scheme is 4.1:1 and needs 4.5:1");
  expect(contrastProblems({ primary: "#27211f", highlight: "#95c8f0", ink: "#482c21" }).join()).toContain(
    "danger on panel in the light scheme is 2.",
  );
});

test("with the primary colour of the design, the derived colours are those of the design", () => {
  const { light, dark } = schemesOf({ primary: "#2a6248", highlight });
  expect(light).toMatchObject({ "ground-alt": "#e6efe7", text: "#10231c", "text-soft": "#46594f", rule: "#cfd9cf" });
  expect(light).toMatchObject({ danger: "#b4492a", "button-hover": "#1d4a36", "panel-leaf": "#8fd0ae" });
  expect(dark).toMatchObject({ ground: "#10231c", "ground-alt": "#173027", surface: "#1b372d", accent: "#8fd0ae" });
  expect(dark).toMatchObject({ danger: "#f4a58c", "button-hover": "#b1e2c8", panel: "#0a1712", rule: "#2d4a3e" });
});

test("derived colours take the hue of the primary colour, are no louder than designed, and change as much in lightness", () => {
  const primary = parseHex("#b0006a");
  const { light, dark } = schemesOf({ primary: "#b0006a", highlight });
  for (const hex of [light["button-hover"], dark.accent])
    expect(Math.abs(parseHex(hex).hue - primary.hue)).toBeLessThan(2);
  expect(parseHex(light["ground-alt"]).chroma).toBeCloseTo(parseHex("#e6efe7").chroma, 2);
  const hover = (from: string, to: string) => parseHex(from).lightness - parseHex(to).lightness;
  expect(hover("#b0006a", light["button-hover"])).toBeCloseTo(hover("#2a6248", "#1d4a36"), 2);
});

test("a warning is moved away from a ground on which it would be hard to read", () => {
  const { dark } = schemesOf({ primary: "#1f4e9a", highlight, ink: "#4a4a55" });
  expect(contrast(dark.danger ?? "", dark.surface ?? "")).toBeGreaterThanOrEqual(4.5);
});

test("a colour is read and written without loss, and one that no screen shows keeps its lightness", () => {
  for (const hex of ["#000000", "#050505", "#0a1712", "#c8f169", "#ffffff"]) expect(formatHex(parseHex(hex))).toBe(hex);
  expect(parseHex(formatHex({ lightness: 0.9, chroma: 0.4, hue: 30 })).lightness).toBeCloseTo(0.9, 2);
});

// Red, yellow, green, blue, grey and black: what is derived must be readable beside whatever an owner chooses.
test.each(["#7a2e3a", "#725a00", "#3a5a40", "#1f4e9a", "#b0006a", "#595959", "#000000"])(
  "beside the primary colour %s, all derived colours can be read",
  (primary) => expect(contrastProblems({ primary, highlight })).toEqual([]),
);

test("an owner's ink and paper are the text and the ground, and change places in the dark scheme", () => {
  const { light, dark } = schemesOf({ primary: "#1f4e9a", highlight, ink: "#1a1a1a", paper: "#ffffff" });
  expect([light.text, light.ground, light.panel]).toEqual(["#1a1a1a", "#ffffff", "#1a1a1a"]);
  expect([dark.text, dark.ground]).toEqual(["#ffffff", "#1a1a1a"]);
});

test("a colour in another notation is refused in one sentence that names the file", () => {
  const sentence = /^content\/brand\.ts: the colour primary is "navy"\./;
  expect(() => requireHexColours({ primary: "navy", highlight })).toThrow(sentence);
  expect(contrastProblems({ primary: "navy", highlight })).toEqual([expect.stringMatching(sentence)]);
});
