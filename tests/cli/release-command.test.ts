import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "#tests/support/temporary-folder";

const script = resolve("scripts/release.mjs");
const migrations = "supabase/migrations";
let folder: string;

/** A repository whose version 1.0.0 is released, and 1.1.0 is ready. */
beforeEach(async () => {
  folder = await temporaryFolder();
  mkdirSync(join(folder, migrations), { recursive: true });
  git("init", "--quiet");
  write({ [`${migrations}/1.sql`]: "create table one ();" });
  setVersion("1.0.0");
  commit();
  git("tag", "v1.0.0");
  setVersion("1.1.0");
  write({ [`${migrations}/2.sql`]: "create table two ();" });
  commit();
});

test("a commit that can be released gets the commands", () => {
  expect(release()).toEqual({
    status: 0,
    said: expect.stringContaining("git tag --annotate v1.1.0 --message v1.1.0\n  git push origin v1.1.0\n"),
  });
});

test.each([
  [
    "a released migration that changed",
    { [`${migrations}/1.sql`]: "create table other ();" },
    "add a migration instead",
  ],
  [
    "a migration that stops older servers",
    { [`${migrations}/3.sql`]: "-- Stops older servers: it drops one.\n" },
    "a new major version",
  ],
  [
    "changes without a version",
    { "CHANGELOG.md": "## [Unreleased]\n\n- New.\n\n## [1.1.0] - 2026-12-01\n" },
    "Unreleased",
  ],
  ["another changelog", { "CHANGELOG.md": "## [1.0.9] - 2026-12-01\n" }, 'does not begin with "## [1.1.0] - "'],
  [
    "another lockfile",
    { "package-lock.json": '{"version":"1.0.0","packages":{"":{}}}' },
    "package-lock.json has another",
  ],
])("%s is refused", (_name, files, problem) => {
  write(files);
  commit();
  expect(release()).toEqual({ status: 1, said: expect.stringContaining(problem) });
});

test("an older or a released version, and changes that are not committed, are refused", () => {
  setVersion("1.0.0");
  expect(release().said).toContain("v1.0.0 is released already");
  setVersion("0.9.0");
  expect(release().said).toContain("0.9.0 comes before v1.0.0.\nThere are changes that are not committed.");
});

function setVersion(version: string) {
  write({
    "package.json": JSON.stringify({ version }),
    "package-lock.json": JSON.stringify({ version, packages: { "": { version } } }),
    "CHANGELOG.md": `# Changelog\n\n## [Unreleased]\n\n## [${version}] - 2026-12-01\n\n- New.\n`,
  });
}

function write(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
}

function commit() {
  git("add", ".");
  git("-c", "user.name=A", "-c", "user.email=a@example.com", "commit", "--quiet", "--message", "A change");
}

function git(...args: string[]) {
  // A developer's own settings may sign each commit.
  const env = { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  execFileSync("git", args, { cwd: folder, env });
}

function release() {
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: "utf8" });
  return { status, said: `${stdout}${stderr}` };
}
