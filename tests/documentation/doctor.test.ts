import { readdir, readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test("every sentence in the table of the doctor in docs/operating.md is one that the doctor says", async () => {
  const files = (await readdir(`${root}server/doctor`)).filter((file) => !file.endsWith(".test.ts"));
  const source = (await Promise.all(files.map((file) => readFile(`${root}server/doctor/${file}`, "utf8")))).join("\n");
  const [, section = ""] = (await readFile(`${root}docs/operating.md`, "utf8")).split(/^## The doctor$/m);
  const [, table = ""] = section.split("| it says ", 2);
  const sentences = [...(table.split("\n\n", 1)[0] ?? "").matchAll(/^\| (.+?) +\|/gm)].map(([, cell = ""]) => cell);
  const said = sentences.filter((sentence) => !sentence.startsWith("--"));
  expect(said.length).toBeGreaterThan(3);
  const unsaid = said.filter((sentence) => !sentence.split("…").every((part) => source.includes(part.trim())));
  expect(unsaid).toEqual([]);
});
