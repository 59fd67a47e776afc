// `npm run release`: says what keeps this commit from being the release that package.json names, or prints the commands
// that release it. What a version promises is in CHANGELOG.md.
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const migrations = ["supabase/migrations", "backend/database/bootstrap-migrations", "server/migrations"];
const { version } = read("package.json");
const tag = `v${version}`;
const tags = git("tag", "--list", "v*", "--sort=-version:refname").split("\n").filter(Boolean);
const [last] = tags;

const problems = [...checkVersion(), ...checkChangelog(), ...checkMigrations()];
if (git("status", "--porcelain") !== "") problems.push("There are changes that are not committed.");
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exit(1);
console.log(`This commit can be ${tag}. When its tests are green:\n`);
console.log(`  git tag --annotate ${tag} --message ${tag}\n  git push origin ${tag}`);

function* checkVersion() {
  const lock = read("package-lock.json");
  if (lock.version !== version || lock.packages[""].version !== version)
    yield "package-lock.json has another version than package.json: run npm install --package-lock-only.";
  if (tags.includes(tag)) yield `${tag} is released already: give package.json the next version.`;
  else if (last && compare(version, last.slice(1)) < 0) yield `${version} comes before ${last}.`;
}

function* checkChangelog() {
  const sections = readFileSync("CHANGELOG.md", "utf8").split(/^## /m).slice(1);
  const [unreleased, newest] = sections[0]?.startsWith("[Unreleased]") ? sections : ["", ...sections];
  if (unreleased.split("\n").slice(1).join("").trim() !== "")
    yield "CHANGELOG.md has changes under Unreleased: move them below the new version.";
  if (!last && sections.filter((section) => /^\[\d/.test(section)).length > 1)
    yield "The tags of earlier releases are missing here: run git fetch --tags.";
  if (!new RegExp(`^\\[${RegExp.escape(version)}\\] - \\d{4}-\\d\\d-\\d\\d\n`).test(newest ?? ""))
    yield `CHANGELOG.md does not begin with "## [${version}] - " and a date.`;
}

/** A migration that was released has run in databases, so it stays as it is. */
function* checkMigrations() {
  if (!last) return;
  const changed = (filter) =>
    git("diff", "--name-only", "--no-renames", `--diff-filter=${filter}`, last, "HEAD", "--", ...migrations)
      .split("\n")
      .filter(Boolean);
  for (const file of changed("a")) yield `${file} was released in ${last} and has changed: add a migration instead.`;
  const isMajor = major(version) > major(last.slice(1));
  for (const file of changed("A"))
    if (!isMajor && readFileSync(file, "utf8").startsWith("-- Stops older servers"))
      yield `${file} stops older servers, so this needs a new major version.`;
}

function compare(one, other) {
  return one.localeCompare(other, "en", { numeric: true });
}

function major(number) {
  return Number.parseInt(number, 10);
}

function git(...args) {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

function read(file) {
  return JSON.parse(readFileSync(file, "utf8"));
}
