import { execFile } from "node:child_process";
import { cp, readFile, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";
import { withRareCases } from "../support/rare-cases.ts";

const run = promisify(execFile);
const sources = [
  "astro.config.ts",
  "content",
  "package.json",
  "package-lock.json",
  "process",
  "backend",
  "server",
  "operations",
  "site",
  "supabase",
].concat(["tsconfig.json", "validation"]);

/** A copy of the sources, in which a test may break a file. */
let folder: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  for (const name of sources) await cp(name, join(folder, name), { recursive: true });
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
});

test.each([
  ["npm start", "operations/commands/start.mjs", "content/brand.ts"] as const,
  // Astro, not Node, finds this mistake.
  ...(withRareCases ? [["npm run build", "operations/commands/build.ts", "content/why-work-with-us.ts"] as const] : []),
])("`%s` (%s) names the line of a forgotten comma in %s in one sentence", async (_, program, file) => {
  const [line, next] = await removeComma(file);
  const { code, stderr } = await start(program).catch((error) => error);
  expect(code).toBe(1);
  const place = `${file}:${next} cannot be read`;
  const [sentence, ...shown] = stderr.replace("The site could not be built.\n", "").trimEnd().split("\n");
  expect(sentence).toMatch(
    new RegExp(`^${place} \\(Expected .*\\)\\. The mistake is in this line, or at the end of the one before:$`),
  );
  expect(shown).toEqual([expect.stringContaining(line), expect.stringContaining(`${next} | `)]);
});

/** Removes the comma behind the first name. Returns this line, and the number of the next one. */
async function removeComma(name: string): Promise<[line: string, next: number]> {
  const file = join(folder, name);
  const text = await readFile(file, "utf8");
  const [before = "", line = ""] = /^.*?(\n *name: "[^"]*"),/s.exec(text) ?? [];
  await writeFile(file, text.replace(before, before.slice(0, -1)));
  return [line.trim(), before.split("\n").length + 1];
}

function start(program: string) {
  const environment = {
    ...process.env,
    ENV_FILE: "",
    SITE_URL: "https://heron.test",
    BUILD_DIR: "dist",
    DATA_DIR: "data",
  };
  return run(process.execPath, [program], { cwd: folder, env: environment });
}
