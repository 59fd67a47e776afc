import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { figtree, subsetTypeface } from "./font-subsets.ts";

test("the Latin characters are split into two font subsets, and extended Latin is a third one", async () => {
  const [usual, rare, extended] = await subsetTypeface(figtree);
  const codes = [...codesIn(usual?.unicodeRange), ...codesIn(rare?.unicodeRange)];
  const ranges = JSON.parse(await readFile(`node_modules/${figtree.package}/unicode.json`, "utf8"));
  expect(codes.toSorted((one, other) => one - other)).toEqual(
    codesIn(ranges.latin.split(",")).toSorted((one, other) => one - other),
  );
  expect(codesIn(extended?.unicodeRange)).toContain("ł".codePointAt(0));
});

test("the usual font subset has under half the source's size and a stable file name", async () => {
  const [usual] = await subsetTypeface(figtree);
  const [again] = await subsetTypeface(figtree);
  const source = await readFile(`node_modules/${figtree.package}/${figtree.file}`);
  expect((await readFile(usual?.src[0] ?? "")).length).toBeLessThan(source.length / 2);
  expect(again?.src).toEqual(usual?.src);
});

function codesIn(ranges: readonly string[] = []): number[] {
  return ranges.flatMap((range) => {
    const [from = 0, to = from] = range
      .slice(2)
      .split("-")
      .map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: to - from + 1 }, (_, step) => from + step);
  });
}
