import { execFileSync } from "node:child_process";
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "compile-cache-"));
  await mkdir(join(folder, "server"));
  await cp(join(import.meta.dirname, "compile-cache.mjs"), join(folder, "server", "compile-cache.mjs"));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
});
afterEach(() => rm(folder, { recursive: true }));

/** Runs a program of one file, which prints `word`, with the compile cache of `folder`. */
async function run(word: string): Promise<string> {
  await writeFile(join(folder, "server", "word.ts"), `const word: string = "${word}"; process.stdout.write(word);`);
  const program =
    'import { keepCompiledCode } from "./compile-cache.mjs"; keepCompiledCode(); await import("./word.ts");';
  const options = { cwd: join(folder, "server"), env: {}, encoding: "utf8" } as const;
  return execFileSync(process.execPath, ["--input-type=module", "--eval", program], options);
}

test("compiled code is kept in .cache, and never used for a file that has changed", async () => {
  expect(await run("owl")).toBe("owl");
  expect((await readdir(join(folder, ".cache", "compiled"), { recursive: true })).length).toBeGreaterThan(1);
  expect(await run("owl")).toBe("owl");
  expect(await run("hen")).toBe("hen");
});

test("a program runs without the cache if its folder cannot be written", async () => {
  await writeFile(join(folder, ".cache"), "");
  expect(await run("owl")).toBe("owl");
});
