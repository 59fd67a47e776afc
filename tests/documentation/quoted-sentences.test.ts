import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), "utf8");
const sections = read("docs/operating.md").split(/^## /m);

/** The first cells of the tables below a heading of docs/operating.md, without the heads of the tables. */
function firstCells(heading: string): string[] {
  const section = sections.find((each) => each.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^\| ([^|]+) \|/gm)]
    .map(([, cell = ""]) => cell)
    .filter((cell) => !/^-|says$/.test(cell));
}

function unwritten(sentences: readonly string[], files: string): string[] {
  const sources = globSync(files, { cwd: root, exclude: (file) => file.endsWith(".test.ts") });
  const text = sources.map(read).join("\n");
  return sentences.filter((sentence) => !sentence.split("…").every((part) => text.includes(part.trim())));
}

test("each line of the log that docs/operating.md explains is written by the server", () => {
  const cells = firstCells("When something is wrong");
  const lines = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line));
  expect(lines.length).toBeGreaterThan(20);
  expect(unwritten(lines, "server/**/*.ts")).toEqual([]);
});

test("each sentence of the doctor that docs/operating.md explains is one that the doctor says", () => {
  const sentences = firstCells("The doctor");
  expect(sentences.length).toBeGreaterThan(3);
  expect(unwritten(sentences, "server/doctor/*.ts")).toEqual([]);
});
