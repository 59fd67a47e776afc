import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Who may import whom: the houses of the product and their arrows. A house may always import itself. */
const mayImport: Record<string, readonly string[]> = {
  content: [],
  rules: [],
  "site/pages": ["site/*", "content"],
  "site/layouts": [
    "site/components",
    "site/metadata",
    "site/styles",
    "site/fonts",
    "site/sections",
    "site/drawings",
    "site/scripts",
    "content",
  ],
  // What machines read of the site: pictures, lists and descriptions, made at build from the page's own parts.
  "site/metadata": ["site/drawings", "site/styles", "content"],
  "site/sections": ["site/components", "site/drawings", "content"],
  "site/islands": ["site/components", "site/drawings", "site/backend", "content", "rules"],
  "site/scripts": ["site/backend", "content"],
  "site/components": ["content"],
  "site/drawings": ["content"],
  "site/styles": [],
  "site/fonts": [],
  "site/backend": ["rules"],
  "server/database": ["server/refusal"],
  "server/auth": ["server/database", "server/gateway", "server/refusal"],
  "server/data": ["server/database", "server/gateway", "server/refusal"],
  "server/mail": ["server/database", "content"],
  "server/site": ["server/refusal", "server/database", "rules", "content"],
  "server/cli": ["server/*", "content", "rules"],
  "server/settings": [],
  "server/refusal": [],
  "server/gateway": ["server/refusal"],
  "server/security-headers": [],
  "server/http-server": [],
  "server/stop": [],
  "server/app": ["server/*"],
  "server/listen": ["server/database"],
  "server/main": ["server/*"],
};

const sources = Object.keys(packages.imports)
  .map((name) => name.slice(1, -2))
  .filter((folder) => folder !== "tests")
  .flatMap((folder) => filesBelow(folder))
  .filter((file) => /\.(ts|tsx|astro)$/.test(file) && !/\.(test|d)\.tsx?$/.test(file));

test("every import follows an arrow of the architecture", () => {
  const wrong = sources.flatMap((file) =>
    importsOf(file)
      .filter((target) => !isAllowed(houseOf(file), houseOf(target)))
      .map((target) => `${file} imports ${target}`),
  );
  expect(wrong).toEqual([]);
  expect(sources.length).toBeGreaterThan(20);
});

test("what the visitor loads is never needed by the server, and nothing is React there", () => {
  expect(sources.filter((file) => file.startsWith("server/") && file.endsWith(".tsx"))).toEqual([]);
});

test("only the settings read the environment", () => {
  const readers = sources.filter(
    (file) => file.startsWith("server/") && /process\.env(\.|\[)/.test(readFileSync(join(root, file), "utf8")),
  );
  expect(readers).toEqual([]);
});

function filesBelow(folder: string): string[] {
  const entries = readdirSync(join(root, folder), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), "utf8");
  const found = text.matchAll(/(?:from|import)\s*\(?\s*"((?:#|\.)[^"]+)"/g);
  return [...found].map(([, target = ""]) =>
    target.startsWith("#") ? target.slice(1) : normalize(join(dirname(file), target)),
  );
}

function houseOf(path: string): string {
  const [first = "", second = ""] = path.replace(/\.(ts|tsx|astro)$/, "").split("/");
  return first === "site" || first === "server" ? `${first}/${second}` : first;
}

function isAllowed(from: string, to: string): boolean {
  const allowed = mayImport[from];
  if (!allowed) return false;
  return (
    from === to || allowed.some((each) => each === to || (each.endsWith("/*") && to.startsWith(each.slice(0, -1))))
  );
}
