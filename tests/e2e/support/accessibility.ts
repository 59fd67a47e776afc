import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { expect } from "./fixtures.ts";

/** The colour schemes differ in colours alone, so the second one is asked about nothing else. */
const rulesAboutColours = ["color-contrast", "link-in-text-block"];

/** Half of the work of axe is to describe what passed, and to load stylesheets that are in the page already. */
const onlyViolations: Parameters<AxeBuilder["options"]>[0] = { resultTypes: ["violations"], preload: false };

/**
 * Every rule of axe on the page as it stands, at each width, and in the dark its colours, without loading it again. The
 * first width is asked in both schemes; what another width shows has the same colours.
 */
export async function expectNoAccessibilityProblems(
  page: Page,
  { widths = [1440, 360], within = "html" }: { widths?: readonly number[]; within?: string } = {},
) {
  for (const [index, width] of widths.entries()) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of index === 0 ? (["light", "dark"] as const) : (["light"] as const)) {
      await page.emulateMedia({ colorScheme });
      // Its usual way opens a second page for each report, in case of frames from elsewhere; there are none.
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
