// Where this machine's Firefox is, and how to get one where there is none.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

/** The path of a Firefox to drive, or undefined. `FIREFOX` names one; else the system's. */
export function findFirefox() {
  const candidates = [
    process.env.FIREFOX,
    ...["firefox-esr", "firefox"].map(which),
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ];
  return candidates.find((path) => path && existsSync(path));
}

/** Finds a Firefox, or installs Debian's package where root has apt; throws with what to do elsewhere. */
export function ensureFirefox() {
  const found = findFirefox();
  if (found) return found;

  if (process.getuid?.() === 0 && which("apt-get")) {
    console.log("No Firefox found. Installing firefox-esr, once.");
    run("apt-get", ["update", "-q"]);
    run("apt-get", ["install", "-y", "-q", "firefox-esr"]);
  }
  const installed = findFirefox();
  if (installed) return installed;
  throw new Error(
    "There is no Firefox here. Install one from https://www.mozilla.org/firefox/, or name it in FIREFOX.",
  );
}

function which(name) {
  const { status, stdout } = spawnSync("which", [name], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function run(command, args) {
  spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}
