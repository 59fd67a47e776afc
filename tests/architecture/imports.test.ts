import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));
const packages = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** Who may import whom: the houses of the product and their arrows. A house may always import itself. */
const mayImport: Record<string, readonly string[]> = {
  content: [],
  validation: [],
  "site/pages": ["site/*", "content"],
  "site/layouts": [
    "site/components",
    "site/metadata",
    "site/styles",
    "site/fonts",
    "site/sections",
    "site/drawings",
    "site/scripts",
    "site/flash-message",
    "content",
  ],
  // What machines read of the site: pictures, lists and descriptions, made at build from the page's own parts.
  "site/metadata": ["site/drawings", "site/styles", "content"],
  "site/sections": ["site/components", "site/drawings", "content"],
  "site/islands": [
    "site/components",
    "site/drawings",
    "site/flash-message",
    "site/hooks",
    "site/supabase",
    "content",
    "validation",
  ],
  "site/flash-message": ["site/components", "site/scripts", "site/supabase", "content"],
  "site/scripts": ["site/supabase", "content"],
  "site/hooks": ["site/supabase"],
  "site/components": ["site/hooks", "content"],
  "site/drawings": ["content"],
  "site/styles": [],
  "site/fonts": [],
  "site/supabase": ["validation"],
  "server/http": ["server/start-error"],
  "server/database": ["server/http", "server/start-error"],
  "server/jobs": ["server/database", "server/mail", "server/webhook"],
  "server/auth": ["server/database", "server/http", "server/jobs"],
  "server/data": ["server/database", "server/http"],
  "server/mail": ["server/http", "content"],
  "server/webhook": ["server/http"],
  "server/pages": ["server/http", "server/database", "validation", "content"],
  "server/cli": ["server/*", "content", "validation"],
  "server/settings": [],
  "server/start-error": [],
  "server/stop": [],
  "server/app": ["server/*"],
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
