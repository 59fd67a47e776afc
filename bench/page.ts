/**
 * `npm run bench:page`: how close is each page to the fastest possible display of its HTML and CSS? Runs Lighthouse
 * alternately on the page and on its floor: the same page without scripts, typefaces and animations, served by the same
 * code. Prints the medians, and fails when a run misses a goal. `-- --runs 1 --pages / --screens mobile` makes it short.
 * npm downloads Lighthouse when this runs; as a dependency it would add 150 MB to every installation. Goals:
 * docs/measuring.md#the-pages.
 */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { runMeasurement, startServer } from "./load/measurement.ts";
import { quantile } from "./load/quantile.ts";
import { type Figures, measure } from "./page/lighthouse.ts";
import { serveStrippedPages } from "./page/stripped-pages.ts";

const { values: options } = parseArgs({
  options: {
    runs: { type: "string", default: "5" },
    pages: { type: "string", default: "/,/privacy-policy,/auth" },
    screens: { type: "string", default: "mobile,desktop" },
  },
});

/** The built pages contain the port. It is fixed, so that the next run can reuse the built pages. */
const port = 4174;
const buildDir = resolve(".cache/bench-site");

await runMeasurement("page", async (measurement) => {
  const { folder, progress } = measurement;
  const environment = { SITE_URL: `http://localhost:${port}`, BUILD_DIR: buildDir, HOST: "localhost" };
  const site = await startServer(measurement, { dataDir: join(folder, "data"), port, environment });
  const floor = await serveStrippedPages(buildDir, join(folder, "floor"));
  const problems: string[] = [];
  for (const screen of options.screens.split(",")) {
    for (const path of options.pages.split(",")) {
      const name = `${path} (${screen})`;
      const [ofPage, ofFloor]: [Figures[], Figures[]] = [[], []];
      // In turn, so that a busy machine slows both.
      for (let run = 1; run <= Number(options.runs); run++) {
        progress(`${name}: run ${run} of ${options.runs}`);
        ofPage.push(await measure(`http://localhost:${port}${path}`, screen, folder));
        ofFloor.push(await measure(floor.url + path, screen, folder));
      }
      console.log(`\n${name}`);
      console.table(compared(ofPage, ofFloor));
      problems.push(...missedGoals(ofPage, ofFloor).map((goal) => `${name}, ${goal}`));
    }
  }
  await floor.close();
  await site.stop();
  return { problems };
});

/** The medians of page and floor, their ratio, and all runs of the page. */
function compared(page: readonly Figures[], floor: readonly Figures[]) {
  const names = Object.keys(page[0] ?? {}) as (keyof Figures)[];
  const rows = names.map((name) => {
    const [ours, theirs] = [median(page, name), median(floor, name)];
    const runs = page.map((run) => Number(run[name].toFixed(3))).join(" ");
    return [name, { page: ours, floor: theirs, ratio: theirs ? Number((ours / theirs).toFixed(2)) : "", runs }];
  });
  return Object.fromEntries(rows);
}

/**
 * A sentence for each goal that a run missed. Times are compared with the median of the floor, the Performance score with
 * the floor's worst. A page that search engines must not list is an application: its form is in view at once and needs
 * React at once. So it has no goals for SEO, weight and blocked time, but those for its paint times.
 */
function missedGoals(page: readonly Figures[], floor: readonly Figures[]): string[] {
  const most = (name: keyof Figures, limit: number) => ({ name, isMissed: (run: Figures) => run[name] > limit, limit });
  const least = (name: keyof Figures, limit: number) => ({
    name,
    isMissed: (run: Figures) => run[name] < limit,
    limit,
  });
  const goals = [
    least("Accessibility", 100),
    least("Best Practices", 100),
    most("first paint, ms", 1.05 * median(floor, "first paint, ms")),
    most("largest paint, ms", 1.1 * median(floor, "largest paint, ms")),
    most("layout shift", 0.0005),
    most("blocking stylesheets", 0),
    least("compressed", 1),
  ];
  const ofListedPages = [
    least("Performance", Math.min(...floor.map((run) => run.Performance))),
    least("SEO", 100),
    most("blocked, ms", 20 + median(floor, "blocked, ms")),
    most("bytes", 48 * 1024),
    most("bytes of scripts", 6 * 1024),
    most("requests", 4),
  ];
  return page.flatMap((run, index) =>
    [...goals, ...(run.listed ? ofListedPages : [])]
      .filter(({ isMissed }) => isMissed(run))
      .map(({ name, limit }) => `run ${index + 1}: ${name} is ${run[name]}, the limit ${Number(limit.toFixed(3))}`),
  );
}

function median(runs: readonly Figures[], name: keyof Figures): number {
  return quantile(
    runs.map((run) => run[name]),
    0.5,
  );
}
