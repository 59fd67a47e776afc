import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { usage } from "#operations/commands/admin/run-admin";
import { sourceFiles } from "#tests/support/source-files";

const root = fileURLToPath(new URL("../../", import.meta.url));
const files = sourceFiles()
  .filter((file) => /^deploy\/|\.(ts|tsx|mjs|astro|sql|css|md|toml|json)$/.test(file))
  .filter((file) => file !== "package-lock.json" && !file.startsWith("content/legal/"));
const textOf = (file: string) => readFileSync(join(root, file), "utf8");

test("every cited heading exists in the cited document", () => {
  const references = files.flatMap((file) => headingsCitedIn(file));
  const broken = references.filter(({ page, slug }) => !slugsOf(page).has(slug));
  expect(broken).toEqual([]);
  expect(references.length).toBeGreaterThan(100);
});

test("every link in a Markdown file leads to an existing file", () => {
  const broken = files
    .filter((file) => file.endsWith(".md"))
    .flatMap((file) =>
      // An example of a case study links from another folder.
      [
        ...textOf(file)
          .replaceAll(/^```md$.*?^```$/gms, "")
          .matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)/g),
      ]
        .map(([, target = ""]) => normalize(join(dirname(file), target)))
        .filter((target) => !target.includes("{") && !existsSync(join(root, target)))
        .map((target) => `${file} links to ${target}`),
    );
  expect(broken).toEqual([]);
});

test("every file path named in the code or documentation exists", () => {
  const broken = files.flatMap((file) =>
    pathsNamedIn(textOf(file))
      .filter((path) => !existsSync(join(root, path)))
      .map((path) => `${file} names ${path}`),
  );
  expect(broken).toEqual([]);
});

test("every command of `npm run admin` in the documentation exists, and each of them is documented", () => {
  const namesIn = (text: string) => [...text.matchAll(/npm run admin -- ([\w-]+)/g)].map(([, name = ""]) => name);
  const documents = files.filter((file) => file.endsWith(".md")).map(textOf);
  const commands = new Set(namesIn(usage));
  expect(documents.flatMap(namesIn).filter((name) => !commands.has(name))).toEqual([]);
  const pages = documents.join("\n");
  expect([...commands].filter((name) => !new RegExp(`\`${name}\\b|-- ${name}\\b`).test(pages))).toEqual([]);
});

test("every command named in the documentation exists, and every command is documented", () => {
  const { scripts } = JSON.parse(textOf("package.json")) as { scripts: Record<string, string> };
  const documents = files.filter((file) => file.endsWith(".md")).map(textOf);
  const named = new Set(
    documents.flatMap((text) => [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = ""]) => name)),
  );
  expect([...named].filter((name) => !(name in scripts))).toEqual([]);

  const ownNames = new Set(["start", "test", "format"]);
  const commands = Object.keys(scripts).filter((name) => !name.startsWith("pre") && !ownNames.has(name));
  expect(commands.filter((name) => !named.has(name))).toEqual([]);
});

/** Finds the headings that a file cites: as a page of `docs/` with `#slug`, or in Markdown as a link with `#slug`. */
function headingsCitedIn(file: string): { file: string; page: string; slug: string }[] {
  const text = textOf(file);
  const inText = [...text.matchAll(/\b(docs\/[\w-]+\.md)#([\w-]+)/g)];
  const inLinks = file.endsWith(".md") ? [...text.matchAll(/\]\(([^)#\s:]*)#([\w-]+)\)/g)] : [];
  return [
    ...inText.map(([, page = "", slug = ""]) => ({ file, page, slug })),
    ...inLinks.map(([, page = "", slug = ""]) => {
      return { file, page: page === "" ? file : normalize(join(dirname(file), page)), slug };
    }),
  ];
}

/** The anchors that GitHub gives to the headings of a page. */
function slugsOf(page: string): ReadonlySet<string> {
  if (!existsSync(join(root, page))) return new Set();
  const headings = textOf(page).match(/^#+ .+$/gm) ?? [];
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/^#+ /, "")
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** Finds file paths from the root, such as `server/app.ts`. Skips generated files and paths with a wildcard. */
function pathsNamedIn(text: string): string[] {
  const named = text.matchAll(
    /(?<![\w./#*-])((?:process|backend|server|operations|site|content|validation|supabase|tests|bench|tools|scripts|docs)\/[\w./-]+\.(?:ts|tsx|mjs|sql|md|css|astro|json|toml))\b(?!["']?\s*[,)]?\s*\d+:)/g,
  );
  // Case studies are the owner's, and may be gone.
  return [...named].map(([, path = ""]) => path).filter((path) => !path.startsWith("content/case-studies/"));
}
