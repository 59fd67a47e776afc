import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The colour schemes differ only in colours, so the dark one is checked with these rules alone. */
const rulesAboutColours = ["color-contrast", "link-in-text-block"];

/** Makes axe faster: no descriptions of passed rules, no loading of stylesheets that are already in the page. */
const onlyViolations: Parameters<AxeBuilder["options"]>[0] = { resultTypes: ["violations"], preload: false };

/**
 * Runs all rules of axe on the current page at each width, in the light scheme. The dark scheme is checked at the first
 * width only, because the colours are the same at every width.
 */
export async function expectNoAccessibilityProblems(
  page: Page,
  { widths = [1440, 360], within = "html" }: { widths?: readonly number[]; within?: string } = {},
) {
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of index === 0 ? (["light", "dark"] as const) : (["light"] as const)) {
      await page.emulateMedia({ colorScheme });
      // By default axe opens a second page to check frames of other origins. The site has no such frames, so axe runs
      // in legacy mode, which opens no page.
      const axe = new AxeBuilder({ page })
        .setLegacyMode(true)
        .include(within)
        .options({ ...onlyViolations });
      if (colorScheme === "dark") axe.withRules(rulesAboutColours);
      const { violations } = await axe.analyze();
      const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
      expect(found, `${width} px, ${colorScheme}`).toEqual([]);
    }
  }
}
