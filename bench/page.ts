/**
 * `npm run bench:page`: how close is each page to the fastest possible display of its HTML and CSS? Runs Lighthouse
 * alternately on the page and on its floor: the same page without scripts, typefaces and animations, served by the same
 * code. Prints every run and the medians, and fails when a goal is missed. `-- --runs 1 --pages / --screens mobile` makes
 * it short. npm downloads Lighthouse when this runs; as a dependency it would add 150 MB to every installation. Goals:
 * docs/measuring.md#what-is-compared.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { startSite } from "#tests/support/site";
import { serveFloor } from "./page/floor.ts";
import { missedGoals } from "./page/goals.ts";
import { type Measurement, measure, type Screen } from "./page/lighthouse.ts";
import { printTable } from "./page/table.ts";

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    pages: { type: "string", default: "/,/privacy-policy,/auth" },
    screens: { type: "string", default: "mobile,desktop" },
  },
});
const runs = Number(options.runs);
const paths = options.pages.split(",");
const screens = options.screens.split(",").filter((screen): screen is Screen => /^(mobile|desktop)$/.test(screen));

/** The built pages contain the port. It is fixed, so that the next run can reuse the built pages. */
const port = 4174;
const buildDir = resolve(".cache/bench-site");

const folder = await mkdtemp(join(tmpdir(), "bench-page-"));
const site = await startSite({
  dataDir: join(folder, "data"),
  port,
  environment: { SITE_URL: `http://localhost:${port}`, BUILD_DIR: buildDir, LOG_LEVEL: "fatal" },
});
const floor = await serveFloor(buildDir, join(folder, "floor"));

const missed: string[] = [];
try {
  for (const screen of screens) {
    for (const path of paths) {
      const { ofPage, ofFloor } = await measureAlternately(path, screen);
      printTable(`${path} (${screen})`, ofPage, ofFloor);
      missed.push(...missedGoals(ofPage, ofFloor).map((goal) => `${path} (${screen}): ${goal}`));
    }
  }
} finally {
  await floor.close();
  await site.stop();
  await rm(folder, { recursive: true, force: true });
}

console.log(missed.length === 0 ? "\nEvery goal is met in every run." : `\nMissed:\n  ${missed.join("\n  ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/**
 * Measures a page and its floor (the page without scripts, typefaces and animations) in turn, so that a busy machine
 * slows both.
 */
async function measureAlternately(path: string, screen: Screen) {
  const ofPage: Measurement[] = [];
  const ofFloor: Measurement[] = [];
  for (let run = 1; run <= runs; run++) {
    process.stdout.write(`\r${path} (${screen}): run ${run} of ${runs} `);
    ofPage.push(await measure(site.url + path, screen, folder));
    ofFloor.push(await measure(floor.url + path, screen, folder));
  }
  process.stdout.write("\n");
  return { ofPage, ofFloor };
}
