import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path/posix";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { sourceFiles } from "#tests/support/source-files";

const root = fileURLToPath(new URL("../../", import.meta.url));
const mayImport = readArrows();
const sources = sourceFiles().filter((file) => /\.(ts|tsx|mjs|astro|css)$/.test(file));
const files = new Set(sources);
const isProduct = (file: string) => /^(content|validation|site|process|backend|server|operations)\//.test(file);
const isServer = (file: string) => /^(process|backend|server|operations)\//.test(file);
const isTest = (file: string) => /\.(test|d)\.tsx?$/.test(file);

test("every import is allowed by the table of folders in docs/architecture.md", () => {
  const product = sources.filter((file) => isProduct(file) && !isTest(file));
  const wrong = product.flatMap((file) =>
    importsOf(file)
      .filter((target) => !isAllowed(file, target))
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
  expect(product.length).toBeGreaterThan(200);
});

test("every import that docs/architecture.md allows by name is used", () => {
  const unused = [...mayImport].flatMap(([folder, allowed]) => {
    const targets = sources.filter((file) => isBelow(file, folder) && !isTest(file)).flatMap(importsOf);
    const arrows = allowed.filter((name) => !name.endsWith("/*"));
    return arrows
      .filter((name) => !targets.some((target) => isBelow(target, name)))
      .map((name) => `${folder} → ${name}`);
  });
  expect(unused).toEqual([]);
});

test("scripts/install.mjs imports only the built-in modules of Node.js", () => {
  const found = read("scripts/install.mjs").matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"([^"]+)"/g);
  expect([...found].map(([, name]) => name).filter((name) => !name?.startsWith("node:"))).toEqual([]);
});

test("every folder named in docs/architecture.md exists", () => {
  const missing = [...mayImport.keys()].filter((folder) => !sources.some((file) => isBelow(file, folder)));
  expect(missing).toEqual([]);
});

test("the imports between files, including type imports, form no cycle", () => {
  const imports = new Map(sources.map((file) => [file, importsOf(file)]));
  expect(imports.get("server/serve.ts")).toContain("server/app.ts");
  expect(findCycles(imports)).toEqual([]);
});

test("the search for import cycles finds a cycle and names its files", () => {
  const imports = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["a"]],
    ["d", []],
  ]);
  expect(findCycles(imports)).toEqual(["a → b → c → a"]);
});

test("no folder of the server contains a .tsx file and so React", () => {
  expect(sources.filter((file) => isServer(file) && file.endsWith(".tsx"))).toEqual([]);
});

test("no file of the server reads a variable of process.env directly", () => {
  const readers = sources.filter((file) => isServer(file) && !isTest(file));
  expect(readers.filter((file) => /process\.env(\.|\[)/.test(read(file)))).toEqual([]);
});

/**
 * Reads the table of folders. It names the folders and modules that each folder may import, such as `backend/database`
 * or `server/*`.
 */
function readArrows(): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = read("docs/architecture.md").split(/^## Folders$/m);
  const rows = section.split(/^## /m, 1)[0]?.match(/^\| `.+$/gm) ?? [];
  return new Map(
    rows.flatMap((row) => {
      const [, folders = "", , allowed = ""] = row.split("|");
      return namesIn(folders).map((folder) => [folder, namesIn(allowed)] as const);
    }),
  );
}

function namesIn(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, name = ""]) => name);
}

function isAllowed(file: string, target: string): boolean {
  // A folder within another one, with a row of its own, may import less.
  const from = [...mayImport.keys()]
    .filter((folder) => isBelow(file, folder))
    .sort((one, other) => other.length - one.length)[0];
  if (!from) return false;
  return isBelow(target, from) || (mayImport.get(from) ?? []).some((each) => isBelow(target, each));
}

/** Tells whether a file is the module `name` or is in the folder `name`. `server/*` means every file in `server`. */
function isBelow(file: string, name: string): boolean {
  const path = name.replace(/\/\*$/, "");
  return file.startsWith(`${path}/`) || file.replace(/\.\w+$/, "") === path;
}

/** Finds the files of this repository that a file imports. Type imports and dynamic imports count as well. */
function importsOf(file: string): string[] {
  const found = read(file).matchAll(/(?:\bfrom|\bimport)\s*\(?\s*"((?:#|\.)[^"]+)"/g);
  return [...found].flatMap(([, target = ""]) => {
    const path = target.startsWith("#") ? target.slice(1) : normalize(join(dirname(file), target));
    return sourceFile(path) ?? [];
  });
}

function sourceFile(path: string): string | undefined {
  return ["", ".ts", ".tsx", ".mjs", ".astro"].map((ending) => path + ending).find((each) => files.has(each));
}

/** Finds one cycle in each group of files that import each other. */
function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const done = new Set<string>();
  const cycles: string[] = [];
  for (const start of imports.keys()) visit(start, []);
  return cycles;

  function visit(file: string, path: readonly string[]) {
    if (path.includes(file)) cycles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    if (path.includes(file) || done.has(file)) return;
    for (const next of imports.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  }
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
