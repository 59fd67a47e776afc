import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings, settingNames } from "#server/settings";

const readme = readFileSync("README.md", "utf8");

/** The rows of the table of settings: the names in each, and the words in backticks of its second column. */
const rows = [...section("Settings").matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)].map(([, names = "", defaults = ""]) => ({
  names: wordsOf(names),
  defaults: wordsOf(defaults),
}));

test("the README's table of settings lists every setting once, and no other", () => {
  expect(rows.flatMap(({ names }) => names).sort()).toEqual([...settingNames].sort());
});

test("the defaults in the README's table are those of the server", () => {
  // What has a default in words, or two, is left out.
  const values = rows
    .filter(({ names, defaults }) => names.length === defaults.length)
    .flatMap(({ names, defaults }) => names.map((name, index) => [name, defaults[index]?.replace("$PORT", "3000")]));
  expect(values.length).toBeGreaterThan(20);
  const needed = { BACKUP_DIR: "/backups", WEBHOOK_URL: "https://hooks.example", WEBHOOK_SECRET: "a".repeat(24) };
  for (const [name = "", value] of values)
    expect(readSettings({ ...needed, [name]: value }), name).toEqual(readSettings(needed));
});

function section(title: string): string {
  return readme.split(`\n## ${title}\n`)[1]?.split("\n## ")[0] ?? "";
}

function wordsOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}
