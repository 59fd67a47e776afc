// Finds the Chromium and the Firefox of this machine for the browser tests, and installs a Chromium that is missing.
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { installPackage, isDebianRoot, run, which } from "./debian-packages.mjs";

/**
 * These flags switch off the browser's dialogs and its own network requests: it requests nothing but the site under
 * test.
 */
export const chromiumFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** A Chromium without windows. It has the same engine and needs half the processor time of the whole browser. */
const headlessShell = "chromium-headless-shell";

/**
 * Returns the path of a Chromium, or undefined. Takes the first that exists: the one in the setting `CHROMIUM`, the
 * system's headless shell, Playwright's own Chromium, the system's Chromium.
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

/**
 * Finds a Chromium or installs one: Debian's package if this runs as root and finds apt, otherwise Playwright's
 * download.
 */
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

/** Returns the path of a Firefox, or undefined. The one in the setting `FIREFOX` comes before the system's. */
export function findFirefox() {
  return firstExisting([
    process.env.FIREFOX,
    ...["firefox-esr", "firefox"].map(which),
    "/Applications/Firefox.app/Contents/MacOS/firefox",
    "C:\\Program Files\\Mozilla Firefox\\firefox.exe",
  ]);
}

function firstExisting(paths) {
  return paths.find((path) => path && existsSync(path));
}
