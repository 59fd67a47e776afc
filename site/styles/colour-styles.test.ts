import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { fernStyles } from "../drawings/hero-fern";
import { colourStyles } from "./colour-styles";

test("every custom property that a style sheet or a drawing uses is defined", () => {
  const cwd = fileURLToPath(new URL("../", import.meta.url));
  const files = globSync("**/*.{css,ts,tsx,astro}", { cwd }).map((name) => readFileSync(cwd + name, "utf8"));
  const namesIn = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name = ""]) => name);
  const defined = new Set(
    [colourStyles, fernStyles(1), ...files].flatMap((text) => namesIn(text, /(--[\w-]+)(?:"?:|",)/g)),
  );
  const used = files.flatMap((text) => namesIn(text, /var\((--[\w-]+)/g)).filter((name) => !name.startsWith("--font-"));
  expect([...new Set(used)].filter((name) => !defined.has(name))).toEqual([]);
  expect(used.length).toBeGreaterThan(500);
});
