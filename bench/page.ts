/**
 * `npm run bench:page`: how close is each page to the fastest possible display of its HTML and CSS? A phone (a quarter of
 * this processor, 1.6 Mbit/s, 150 ms) opens it in turn with its floor: the same page without scripts, typefaces and
 * animations, served by the same code. Prints the medians, and fails when one misses a goal (docs/measuring.md#the-pages).
 * `-- --runs 3 --pages /` makes it short. The machine must be idle.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Browser, chromium } from "@playwright/test";
import { chromiumFlags, ensureChromium } from "../scripts/browsers.mjs";
import { runMeasurement, startServer } from "./load/measurement.ts";
import { quantile } from "./load/quantile.ts";
import { serveStrippedPages } from "./stripped-pages.ts";

const { values: options } = parseArgs({
  options: { runs: { type: "string", default: "9" }, pages: { type: "string", default: "/,/privacy-policy,/auth" } },
});

/** The built pages contain the port. */
const port = 4174;
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true };
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 };
const quietMilliseconds = 1000;
const goals = { firstPaint: 1.05, largestPaint: 1.1, layoutShift: 0.01 };
/** The landing page has the most scripts in its HTML. */
const goalsOfLanding = { ...goals, firstPaint: 1.08 };

await runMeasurement("page", async (measurement) => {
  const { folder, progress } = measurement;
  const buildDir = join(folder, "site");
  const environment = { SITE_URL: `http://localhost:${port}`, BUILD_DIR: buildDir, HOST: "localhost" };
  const site = await startServer(measurement, { dataDir: join(folder, "data"), port, environment });
  const floor = await serveStrippedPages(buildDir, join(folder, "floor"));
  const browser = await chromium.launch({ executablePath: ensureChromium(), args: chromiumFlags });
  const figures: Record<string, object> = {};
  const problems: string[] = [];
  for (const path of options.pages.split(",")) {
    const [ours, floors]: [Opened[], Opened[]] = [[], []];
    for (let run = 1; run <= Number(options.runs); run++) {
      progress(`${path}: run ${run} of ${options.runs}`);
      ours.push(await open(browser, `http://localhost:${port}${path}`));
      floors.push(await open(browser, floor.url + path));
    }
    const ratio = (name: "firstPaint" | "largestPaint") =>
      Number((quantile(ours.map((each) => each[name])) / quantile(floors.map((each) => each[name]))).toFixed(2));
    const layoutShift = Math.max(...ours.map((each) => each.layoutShift));
    const found = { firstPaint: ratio("firstPaint"), largestPaint: ratio("largestPaint"), layoutShift };
    figures[path] = { "first paint, ms": Math.round(quantile(ours.map((each) => each.firstPaint))), ...found };
    for (const [name, most] of Object.entries(path === "/" ? goalsOfLanding : goals)) {
      const figure = found[name as keyof typeof goals];
      if (figure > most) problems.push(`${path}: ${name} is ${figure}, the goal at most ${most}.`);
    }
  }
  await browser.close();
  await floor.close();
  await site.stop();
  return { figures, problems };
});

type Opened = Awaited<ReturnType<typeof open>>;

/** Opens a page with an empty cache; times are milliseconds. */
async function open(browser: Browser, url: string) {
  const page = await browser.newPage(phone);
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", network);
  await page.addInitScript(() => {
    const paints = { firstPaint: 0, largestPaint: 0, layoutShift: 0 };
    Object.assign(window, { paints });
    const observe = (type: string, take: (entry: PerformanceEntry & { value?: number }) => void) =>
      new PerformanceObserver((list) => list.getEntries().forEach(take)).observe({ type, buffered: true });
    observe("paint", ({ name, startTime }) => {
      if (name === "first-contentful-paint") paints.firstPaint = startTime;
    });
    observe("largest-contentful-paint", ({ startTime }) => {
      paints.largestPaint = startTime;
    });
    observe("layout-shift", ({ value = 0 }) => {
      paints.layoutShift += value;
    });
  });
  await page.goto(url, { waitUntil: "load" });
  await page.waitForTimeout(quietMilliseconds);
  const paints = await page.evaluate(() => (window as unknown as { paints: typeof goals }).paints);
  await page.context().close();
  return paints;
}
