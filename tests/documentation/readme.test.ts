import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { settingNames } from "#server/settings";

const readme = readFileSync("README.md", "utf8");

test("the README's table of settings lists every setting once, and no other", () => {
  const rows =
    readme
      .split("\n## Settings\n")[1]
      ?.split("\n## ")[0]
      ?.matchAll(/^\| (`[^|]*) \|/gm) ?? [];
  const listed = [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  expect(listed.sort()).toEqual([...settingNames].sort());
});
