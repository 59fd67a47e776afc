import { expect, type Page } from "@playwright/test";

/** The number of typefaces that were loaded as files. */
export function loadedTypefaces(page: Page): Promise<number> {
  return page.evaluate(() => {
    const faces = [...document.fonts].filter(({ family }) => !family.includes("fallback"));
    return faces.filter(({ status }) => status === "loaded").length;
  });
}

/**
 * Opens a page, and waits until no request has run for half a second. Playwright's `networkidle` never comes on a page whose
 * first frame, and so the request for its typefaces, takes longer than that after the document.
 */
export async function openUntilQuiet(page: Page, address: string) {
  let running = 0;
  let changed = Date.now();
  const count = (by: number) => () => {
    running += by;
    changed = Date.now();
  };
  page.on("request", count(1));
  page.on("requestfinished", count(-1));
  page.on("requestfailed", count(-1));
  await page.goto(address);
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(() => running === 0 && Date.now() - changed > 500).toBe(true);
}

interface Shift {
  value: number;
  /** The start of the HTML of what moved. */
  moved: string[];
}

/** Runs in the page before all other scripts, and records every layout shift. */
export function watchShifts() {
  const shifts: Shift[] = [];
  Object.assign(window, { shifts });
  type Entry = PerformanceEntry & { value: number; sources: { node?: Element }[] };
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries() as Entry[])
      shifts.push({ value, moved: sources.map(({ node }) => node?.outerHTML?.slice(0, 100) ?? "?") });
  }).observe({ type: "layout-shift", buffered: true });
}

/** Returns the layout shifts until now. A shift is reported only after the next frame. */
export async function findShifts(page: Page) {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  return page.evaluate(() => (window as unknown as { shifts: Shift[] }).shifts);
}
