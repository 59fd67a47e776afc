import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), "utf8");

test("each line of the log that docs/operating.md explains is written by the server", () => {
  const section = read("docs/operating.md")
    .split("\n## ")
    .find((each) => each.startsWith("When something is wrong"));
  const cells = [...(section ?? "").matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell = ""]) => cell);
  const lines = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, line = ""]) => line));
  expect(lines.length).toBeGreaterThan(20);
  const sources = globSync("{process,backend,server,operations}/**/*.ts", {
    cwd: root,
    exclude: (file) => file.endsWith(".test.ts"),
  });
  const code = sources.map(read).join("\n");
  expect(lines.filter((line) => !code.includes(line))).toEqual([]);
});
