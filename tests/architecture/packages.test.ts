import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = read("package.json");
const lock: { packages: Record<string, Locked> } = read("package-lock.json");

interface Locked {
  version?: string;
  dev?: boolean;
  license?: string;
  hasInstallScript?: boolean;
  resolved?: string;
  optionalDependencies?: Record<string, string>;
}

test("package-lock.json has an entry for every optional dependency on every platform", () => {
  // When npm adds a package to an existing node_modules, it leaves out the entries of other platforms, and `npm ci`
  // refuses such a lockfile. `npm install --package-lock-only` in an empty folder writes all entries.
  const missing = Object.entries(lock.packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter((name) => !isLocked(path, name)),
  );
  expect(missing).toEqual([]);
});

test("allowScripts in package.json names every package with an install script", () => {
  const scripted = Object.entries(lock.packages)
    .filter(([, found]) => found.hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(scripted.filter((name) => !(name in packages.allowScripts))).toEqual([]);
});

test("package-lock.json contains no URL of a package registry", () => {
  expect(Object.values(lock.packages).filter((found) => found.resolved?.startsWith("http"))).toEqual([]);
});

test("the packages of a running server have licences that ask for no more than their text", () => {
  const permissive = ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "Unlicense"];
  const others = Object.entries(lock.packages)
    .filter(([path, { dev, license = "none" }]) => path && !dev && !license.match(/[^()\s]+/g)?.every(isPermissive))
    .map(([path, { license }]) => `${path}: ${license}`);
  expect(others).toEqual([]);
  function isPermissive(word: string) {
    return ["AND", "OR", ...permissive].includes(word);
  }
});

test("dependencies are the packages that a running server imports; what builds and tests is in devDependencies", () => {
  const files = ["process", "backend", "server", "operations", "content", "validation"].flatMap((folder) =>
    readdirSync(`${root}${folder}`, { recursive: true, encoding: "utf8" }).map((file) => `${root}${folder}/${file}`),
  );
  const imported = files
    .filter((file) => file.endsWith(".ts") && !file.endsWith(".test.ts"))
    .flatMap((file) => [
      ...readFileSync(file, "utf8").matchAll(/(?:\bfrom |\bimport\()"((?:@[\w-]+\/)?\w[\w.-]*)(?:\/[\w./-]*)?"/g),
    ])
    .map(([, name]) => name);
  // The optional ones are Node and PostgreSQL.
  expect([...new Set(imported)].sort()).toEqual(Object.keys(packages.dependencies).sort());
});

test("npm scripts start with `exec`, so that the signal of npm reaches the program and not only its shell", () => {
  // On Windows, exec.cmd does so.
  const commands: string[] = Object.values(packages.scripts);
  expect(commands.filter((command) => !command.startsWith("exec "))).toEqual([]);
});

/** Searches for a package as Node does: in the node_modules of the package that needs it, then in those above. */
function isLocked(path: string, name: string): boolean {
  const place = path === "" ? `node_modules/${name}` : `${path}/node_modules/${name}`;
  if (lock.packages[place]?.version) return true;
  return path !== "" && isLocked(path.slice(0, Math.max(0, path.lastIndexOf("node_modules/") - 1)), name);
}

function read(file: string) {
  return JSON.parse(readFileSync(`${root}${file}`, "utf8"));
}
