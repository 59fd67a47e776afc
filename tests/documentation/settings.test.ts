import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { readSettings, settingNames } from "#server/settings";

const page = readFileSync("docs/settings.md", "utf8");

/** The rows of the table of settings: the names in each, and the words in backticks of its second column. */
const rows = [...page.matchAll(/^\| (`[^|]*) \| ([^|]*) \|/gm)].map(([, names = "", defaults = ""]) => ({
  names: wordsOf(names),
  defaults: wordsOf(defaults),
}));

test("docs/settings.md lists every setting once, and no other", () => {
  expect(rows.flatMap(({ names }) => names).sort()).toEqual([...settingNames].sort());
});

test("the defaults in docs/settings.md are those of the server", () => {
  // What has a default in words, or two, is left out.
  const values = rows
    .filter(({ names, defaults }) => names.length === defaults.length)
    .flatMap(({ names, defaults }) => names.map((name, index) => [name, defaults[index]?.replace("$PORT", "3000")]));
  expect(values.length).toBeGreaterThan(20);
  const needed = { BACKUP_DIR: "/backups", WEBHOOK_URL: "https://hooks.example", WEBHOOK_SECRET: "a".repeat(24) };
  for (const [name = "", value] of values)
    expect(readSettings({ ...needed, [name]: value }), name).toEqual(readSettings(needed));
});

function wordsOf(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, word = ""]) => word);
}

test("README.md names only settings that exist", () => {
  const table = readFileSync("README.md", "utf8").split("\n## Settings\n")[1] ?? "";
  const named = [...table.matchAll(/^\| (`[^|]*) \|/gm)].flatMap(([, cell = ""]) => wordsOf(cell));
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !settingNames.includes(name))).toEqual([]);
});
