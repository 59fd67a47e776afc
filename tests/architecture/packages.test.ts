import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = read("package.json");
const lock: { packages: Record<string, { version: string; hasInstallScript?: boolean; resolved?: string }> } =
  read("package-lock.json");

test("every optional dependency has its own entry in the lockfile, for every platform", () => {
  const missing = Object.keys(packages.optionalDependencies).filter(
    (name) => lock.packages[`node_modules/${name}`]?.version !== packages.optionalDependencies[name],
  );
  expect(missing).toEqual([]);
});

test("every package with a script at install is named in allowScripts", () => {
  const scripted = Object.entries(lock.packages)
    .filter(([, found]) => found.hasInstallScript)
    .map(([path]) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length));
  expect(scripted.filter((name) => !(name in packages.allowScripts))).toEqual([]);
});

test("the lockfile names no host", () => {
  expect(Object.values(lock.packages).filter((found) => found.resolved?.startsWith("http"))).toEqual([]);
});

function read(file: string) {
  return JSON.parse(readFileSync(`${root}${file}`, "utf8"));
}
