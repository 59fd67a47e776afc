// Finds the Chromium and the Firefox of this machine for the browser tests, and installs the one that is missing.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";

/** Keeps the browser quiet and offline: it requests nothing but the site under test. */
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

/**
 * The path of a Chromium, or undefined. The setting `CHROMIUM` comes first, then the system's headless shell, then
 * Playwright's own Chromium, then the system's.
 */
export function findChromium() {
  const { chromium } = createRequire(import.meta.url)("@playwright/test");
  return firstExisting([
    process.env.CHROMIUM,
    which(headlessShell),
    chromium.executablePath(),
    ...["chromium", "chromium-browser", "google-chrome"].map(which),
  ]);
}

/** Finds a Chromium or installs one: Debian's package where root has apt, Playwright's download elsewhere. */
export function ensureChromium() {
  if (isDebianRoot() && !process.env.CHROMIUM && !which(headlessShell)) {
    console.log("Installing Chromium's headless shell, once.");
    installPackage(headlessShell);
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

/** The path of a Firefox, or undefined. The setting `FIREFOX` comes first, then the system's. */
export function findFirefox() {
  return firstExisting([
    process.env.FIREFOX,
    ...["firefox-esr", "firefox"].map(which),
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ]);
}

/** Finds a Firefox or installs Debian's package where root has apt. Elsewhere it throws with the steps to take. */
export function ensureFirefox() {
  if (!findFirefox() && isDebianRoot()) {
    console.log("No Firefox found. Installing firefox-esr, once.");
    installPackage("firefox-esr");
  }
  const installed = findFirefox();
  if (installed) return installed;
  throw new Error(
    "There is no Firefox here. Install one from https://www.mozilla.org/firefox/, or name it in FIREFOX.",
  );
}

function firstExisting(paths) {
  return paths.find((path) => path && existsSync(path));
}

function which(name) {
  const { status, stdout } = spawnSync("which", [name], { encoding: "utf8" });
  return status === 0 ? stdout.trim() : undefined;
}

function isDebianRoot() {
  return process.getuid?.() === 0 && which("apt-get") !== undefined;
}

function installPackage(name) {
  run("apt-get", ["update", "-q"]);
  run("apt-get", ["install", "-y", "-q", name]);
}

function run(command, args) {
  spawnSync(command, args, { stdio: "inherit", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
}
