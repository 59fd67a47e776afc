// Runs before `npm start`, `npm run dev` and `npm test`, on whatever Node the machine has (18 or newer): runs `npm ci`
// unless node_modules already matches package-lock.json.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));

if (!isInstalled()) {
  console.log("Installing the packages, PostgreSQL and Node.js among them. Once, about a minute.");
  // Use the npm that runs this script, on the Node that runs npm, because `npm ci` replaces the project's Node. Call it
  // by its path, because Windows cannot spawn `npm` by name.
  const { npm_execpath: npm, npm_node_execpath: node = process.execPath } = process.env;
  const [command, ...prefix] = npm ? [node, npm] : ["npm"];
  // Windows deletes no program that runs, as this one after an update, but renames it.
  if (process.platform === "win32" && process.execPath.startsWith(root)) {
    mkdirSync(`${root}.cache`, { recursive: true });
    renameSync(process.execPath, `${root}.cache/node.exe`);
  }
  const { status, error } = spawnSync(
    command,
    [...prefix, "ci", "--include=dev", "--ignore-scripts=false", "--loglevel=error"],
    {
      cwd: root,
      stdio: "inherit",
    },
  );
  if (error || status !== 0) {
    console.error(`npm ci did not succeed${error ? `: ${error.message}` : ""}. What it printed above says why.`);
    process.exit(1);
  }
}

/** npm records the installed packages in node_modules; those for other platforms are optional and may be missing. */
function isInstalled() {
  const record = `${root}node_modules/.package-lock.json`;
  if (!existsSync(record)) return false;

  const { packages: installed } = JSON.parse(readFileSync(record, "utf8"));
  const { packages: wanted } = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8"));
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    if (path === "") return true;
    return path in installed ? installed[path].version === version : optional === true;
  });
}
