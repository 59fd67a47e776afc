import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { advisoryLocks, hashedAdvisoryLocks } from "./advisory-locks.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const sources = ["server", "supabase"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))))
  .filter((file) => /\.(ts|sql)$/.test(file) && !/advisory-locks|\.test\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** All that is locked anywhere: what stands in the brackets of PostgreSQL's functions, up to the end of the line. */
const taken = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/pg_(?:try_)?advisory_\w*lock\w*\((.*)$/gm)].map(([, given = ""]) => ({ file, given })),
);

test("no two locks share a number", () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("every lock is named in the one list", () => {
  const names = Object.keys(advisoryLocks).map((name) => `advisoryLocks.${name}`);
  const unnamed = taken.filter(({ given }) => {
    const isNumber = given.startsWith("$1") && names.some((name) => given.includes(name));
    const isHashed = hashedAdvisoryLocks.some((words) => given.startsWith(`hashtextextended('${words}'`));
    return !isNumber && !isHashed;
  });
  expect(unnamed).toEqual([]);
  for (const name of names) expect(taken.filter(({ given }) => given.includes(name))).toHaveLength(1);
  for (const words of hashedAdvisoryLocks)
    expect(taken.filter(({ given }) => given.includes(`'${words}'`))).toHaveLength(1);
});
