// `npm run screenshots`: pictures of the pages at three widths, light and dark, in `screenshots/`, each of the state in
// which a test in the browser ends. `-- inbox` takes only those of the test files with this in their name, `-- --grep menu`
// those of the tests.
import { spawnSync } from "node:child_process";
import { ensureChromium } from "./browsers.mjs";

const command = ["node_modules/@playwright/test/cli.js", "test", ...process.argv.slice(2)];
// As in `npm test`, rare cases run when they are asked for.
const TEST_RARE = process.argv.length > 2 ? "on" : "off";
const environment = { ...process.env, TEST_RARE, SCREENSHOTS: "on", CHROMIUM: ensureChromium() };
const { status } = spawnSync(process.execPath, command, { stdio: "inherit", env: environment });
console.log("\nThe pictures are in screenshots/, those of docs/what-you-get.md in docs/pictures/.");
process.exitCode = status ?? 1;
