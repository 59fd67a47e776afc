import { execFile } from "node:child_process";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { convertToTsx } from "@astrojs/astro2tsx";
import { expect, test } from "vitest";

const folder = resolve(".cache/astro-types");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

/** `astro check` needs the API of an older TypeScript; its own converter and our compiler do the same. */
test("the .astro files have no type errors", { timeout: 120_000 }, async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const file of globSync("site/**/*.astro")) {
    const { code, hasParseErrors } = convertToTsx(readFileSync(file, "utf8"), { filename: file, ambientTypes: true });
    expect(hasParseErrors, file).toBe(false);
    write(`${file}.tsx`, `/** @jsxImportSource astro-types */\n${code}`);
  }
  write(
    "astro-types.ts",
    `/// <reference path="../../node_modules/astro/astro-jsx.d.ts" />
import "astro";
export import JSX = astroHTML.JSX;
declare module "astro" {
  interface AstroClientDirectives { "client:painted"?: boolean }
}
`,
  );
  const compilerOptions = {
    rootDirs: ["../..", "."],
    paths: { "astro-types/jsx-runtime": ["./astro-types.ts"] },
    erasableSyntaxOnly: false,
    noUnusedLocals: false,
    verbatimModuleSyntax: false,
  };
  write(
    "tsconfig.json",
    JSON.stringify({ extends: "../../tsconfig.json", compilerOptions, include: ["."], exclude: [] }),
  );
  const { stdout } = await promisify(execFile)(process.execPath, [tsc, "--noEmit", "-p", folder]).catch(
    (error) => error,
  );
  expect(stdout).toBe("");
});

function write(name: string, text: string) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
