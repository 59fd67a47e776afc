import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { advisoryLocks } from "./advisory-locks.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const sources = ["process", "backend", "server", "operations", "supabase"]
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((file) => join(folder, String(file))))
  .filter((file) => /\.(ts|sql)$/.test(file) && !/advisory-locks|\.test\.ts$/.test(file))
  .map((file) => ({ file, text: readFileSync(join(root, file), "utf8") }));

/** The arguments of every call of an advisory lock function, up to the end of the line. */
const lockCalls = sources.flatMap(({ file, text }) =>
  [...text.matchAll(/pg_(?:try_)?advisory_\w*lock\w*\((.*)$/gm)].map(([, args = ""]) => ({ file, args })),
);

test("every advisory lock has a different number", () => {
  const numbers = Object.values(advisoryLocks);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test("every advisory lock in the code is listed, and every listed lock is used", () => {
  const names = Object.keys(advisoryLocks).map((name) => `advisoryLocks.${name}`);
  // In SQL a variable may hold the hashed number. Then the text that is hashed must be listed.
  const unnamed = lockCalls.filter(({ args }) => {
    const isNumber = args.startsWith("$1") && names.some((name) => args.includes(name));
    return !isNumber && !/^(hashtextextended\('|\w*lock(_key)?\))/.test(args);
  });
  expect(unnamed).toEqual([]);
  for (const name of names) expect(lockCalls.filter(({ args }) => args.includes(name))).toHaveLength(1);

  // A migration that replaces a function repeats its locks.
  const hashed = sources.flatMap(({ text }) =>
    [...text.matchAll(/hashtextextended\('([^']*)'/g)].map(([, text]) => text),
  );
  // The number is the hash of one of these texts with an email address or a sender.
  expect(new Set(hashed)).toEqual(new Set(["contact from ", "contacts by "]));
});
