import type { Page } from "@playwright/test";
import axe from "axe-core";
import { expect } from "./fixtures.ts";

/** The colour schemes differ only in colours, so the dark one is checked with these rules alone. */
const rulesAboutColours = ["color-contrast", "link-in-text-block"];

/** Makes axe faster: no descriptions of passed rules, no loading of stylesheets that are already in the page. */
const onlyViolations: axe.RunOptions = { resultTypes: ["violations"], preload: false };

/**
 * Runs all rules of axe on the current page at each width, in the light scheme. The dark scheme is checked at the first
 * width only, because the colours are the same at every width.
 */
export async function expectNoAccessibilityProblems(
  page: Page,
  { widths = [1440, 360], within = "html" }: { widths?: readonly number[]; within?: string } = {},
) {
  // Half of the time of a check would be a new copy of axe.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of index === 0 ? (["light", "dark"] as const) : (["light"] as const)) {
      await page.emulateMedia({ colorScheme });
      const options = colorScheme === "dark" ? { ...onlyViolations, runOnly: rulesAboutColours } : onlyViolations;
      expect(await findProblems(page, within, options), `${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}

/** The rules that are broken, with the elements that break them. */
function findProblems(page: Page, within: string, options: axe.RunOptions): Promise<string[]> {
  return page.evaluate(
    async ([selector, given]) => {
      const { violations } = await window.axe.run({ include: [selector] }, given);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    },
    [within, options] as const,
  );
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
