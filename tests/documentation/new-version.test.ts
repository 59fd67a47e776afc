import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";

const page = readFileSync("docs/making-it-yours.md", "utf8").split("## Keeping it yours")[1] ?? "";
const blocks = (language: string) =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, "g"))].map(([, code = ""]) => code);
const [beginning = "", update = "", keepOurs = ""] = blocks("sh");
const [conflict = ""] = blocks("text");

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "new-version-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test("an owner keeps the words of content/ and takes in new versions, as docs/making-it-yours.md says", () => {
  const [product, owner, repository] = ["product", "owner", "repository.git"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  sh(folder, `git init --quiet --initial-branch=main product && git init --quiet --bare ${repository}`);
  cpSync("content", join(product, "content"), { recursive: true });
  commit(product, "The product");
  sh(folder, `git clone --quiet ${product} owner`);
  const brandLine = /^ {2}name: ".*",$/m;
  const nameOf = (site: string, name: string) => change(site, "content/brand.ts", brandLine, `  name: "${name}",`);
  nameOf(owner, "Heron & Daughters");
  sh(owner, beginning.replace("YOUR-REPOSITORY", repository));

  change(product, "content/page-titles.ts", /$/, "\n/** New. */\nexport const added = 1;\n");
  commit(product, "Another line");
  sh(owner, update);
  expect(read(owner, "content/brand.ts")).toContain('name: "Heron & Daughters"');
  expect(read(owner, "content/page-titles.ts")).toContain("export const added = 1;");

  nameOf(product, "Fernway Studio Site");
  commit(product, "The same line");
  expect(() => sh(owner, update)).toThrow();
  expect(read(owner, "content/brand.ts")).toContain(conflict);
  sh(owner, keepOurs);
  expect(read(owner, "content/brand.ts")).toContain('name: "Heron & Daughters"');
  expect(sh(owner, "git status --porcelain")).toBe("");
});

function commit(site: string, message: string) {
  sh(site, `git add --all && git commit --quiet --message "${message}"`);
}

function change(site: string, file: string, pattern: RegExp, replacement: string) {
  writeFileSync(
    join(site, file),
    read(site, file).replace(pattern, () => replacement),
  );
}

function read(site: string, file: string): string {
  return readFileSync(join(site, file), "utf8");
}

/** Runs commands as a person would, without the settings of this machine's git. */
function sh(cwd: string, commands: string): string {
  const who = { GIT_AUTHOR_NAME: "Ada", GIT_AUTHOR_EMAIL: "ada@example.com" };
  const env = {
    ...process.env,
    ...who,
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.com",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CONFIG_NOSYSTEM: "1",
  };
  return execFileSync("sh", ["-ec", commands], { cwd, env, stdio: ["ignore", "pipe", "pipe"] }).toString();
}
