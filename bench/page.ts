/**
 * `npm run bench:page`: how close is a page to the fastest that a browser can show its HTML and CSS? Runs Lighthouse on
 * each page and, in turns with it, on a floor: the same page without scripts and typefaces, from an equal server. Prints
 * every run and the medians, and fails when a goal is missed. `-- --runs 1 --pages / --screens mobile` makes it short.
 * Lighthouse is fetched by npm when this runs (150 MB are too much for everyone who installs the site).
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

/** Compiled into the pages, so it stays the same: the next run needs no new build. */
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
      const { page, bare } = await measureInTurns(path, screen);
      printTable(`${path} (${screen})`, page, bare);
      missed.push(...missedGoals(page, bare).map((goal) => `${path} (${screen}): ${goal}`));
    }
  }
} finally {
  await floor.close();
  await site.stop();
  await rm(folder, { recursive: true, force: true });
}

console.log(missed.length === 0 ? "\nEvery goal is met in every run." : `\nMissed:\n  ${missed.join("\n  ")}`);
process.exitCode = missed.length === 0 ? 0 : 1;

/** In turns, so that a machine that gets busy slows both. */
async function measureInTurns(path: string, screen: Screen) {
  const page: Measurement[] = [];
  const bare: Measurement[] = [];
  for (let run = 1; run <= runs; run++) {
    process.stdout.write(`\r${path} (${screen}): run ${run} of ${runs} `);
    page.push(await measure(site.url + path, screen, folder));
    bare.push(await measure(floor.url + path, screen, folder));
  }
  process.stdout.write("\n");
  return { page, bare };
}
