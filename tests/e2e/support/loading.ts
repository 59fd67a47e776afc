import type { Page } from "@playwright/test";

/** The number of typefaces that were loaded as files. */
export function loadedTypefaces(page: Page): Promise<number> {
  return page.evaluate(() => {
    const faces = [...document.fonts].filter(({ family }) => !family.includes("fallback"));
    return faces.filter(({ status }) => status === "loaded").length;
  });
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
