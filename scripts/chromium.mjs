// Where this machine's Chromium is, and how to get one where there is none.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** Quiet and offline: a test browser asks nobody but the site under test. */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Chromium without a window: the same engine at half the processor time of the whole browser. */
const headlessShell = "chromium-headless-shell";

/** The path of a Chromium to drive, or undefined. `CHROMIUM` names one; else the system's or Playwright's own. */
export function findChromium() {
  const { chromium } = createRequire(import.meta.url)("@playwright/test");
  const candidates = [
    process.env.CHROMIUM,
    which(headlessShell),
    chromium.executablePath(),
    ...["chromium", "chromium-browser", "google-chrome"].map(which),
  ];
  return candidates.find((path) => path && existsSync(path));
}

/** Finds a Chromium or installs one: Debian's package where root has apt, Playwright's download elsewhere. */
export function ensureChromium() {
  const isDebianRoot = process.getuid?.() === 0 && which("apt-get");
  if (isDebianRoot && !process.env.CHROMIUM && !which(headlessShell)) {
    console.log("Installing Chromium's headless shell, once.");
    run("apt-get", ["update", "-q"]);
    run("apt-get", ["install", "-y", "-q", headlessShell]);
  }
  if (!findChromium()) {
    console.log("No browser found. Installing Chromium, once.");
    const cli = createRequire(import.meta.url).resolve("@playwright/test/cli");
    run(process.execPath, [cli, "install", "chromium"]);
  }
  const installed = findChromium();
  if (!installed) throw new Error("No Chromium could be installed. Install one and name it in CHROMIUM.");
  return installed;
}

function which(name) {
  const { status, stdout } = spawnSync("which", [name], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function run(command, args) {
  spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}
