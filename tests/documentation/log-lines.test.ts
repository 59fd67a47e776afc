import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), "utf8");

const [, section = ""] = /^## When something is wrong\n([\s\S]*?)^## /m.exec(read("docs/operating.md")) ?? [];
const cells = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
const lines = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line));
const source = globSync("server/**/*.ts", { cwd: root, exclude: (file) => file.endsWith(".test.ts") })
  .map(read)
  .join("\n");

test("each line of the log that docs/operating.md explains is written by the server", () => {
  expect(lines.length).toBeGreaterThan(20);
  expect(lines.filter((line) => !source.includes(line))).toEqual([]);
});
