import { navigationWords } from "#content/navigation";
import { auth, privacyPolicy } from "#content/page-titles";
import { caseStudyPaths, publicPages } from "../support/built-site.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, expectConsoleError, openHydrated, test } from "./support/fixtures.ts";
import { findFocusProblems } from "./support/keyboard-walk.ts";
import {
  expectGoodLayout,
  findBrokenWords,
  findHiddenParts,
  findLayoutProblems,
  withDoubleTextSize,
} from "./support/visual-checks.ts";

const unknown = { path: "/no/such/path", errors: ["/no/such/path", "404"] };
const broken = { path: "/%ff", errors: ["400"] };

/** The other pages have the layout of one of these. */
const shortRun = ["/", auth.path, privacyPolicy.path, ...caseStudyPaths, unknown.path];

const paths = [...publicPages.map(({ path }) => path), ...caseStudyPaths.slice(0, 1)];

for (const { path, errors } of [...paths.map((path) => ({ path, errors: [] })), unknown, broken]) {
  // All checks share one page load: each step sets its own window size and leaves the content as it is.
  test(`the page at ${path} is readable, accessible and usable with the keyboard`, {
    tag: shortRun.includes(path) ? [] : "@rare",
  }, async ({ page }) => {
    for (const error of errors) expectConsoleError(error);
    await page.setViewportSize({ width: 1440, height: 740 });
    await openHydrated(page, path);
    await expect(page.getByRole("navigation", { name: navigationWords.main })).toBeVisible();

    await test.step("axe at both layouts; the Tab key reaches each control, in reading order, always visible", async () => {
      await expectNoAccessibilityProblems(page, { within: "html", dark: true });
      expect(await findFocusProblems(page, "Tab")).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoAccessibilityProblems(page, { within: "html" });
      expect(await findFocusProblems(page, "Shift+Tab")).toEqual([]);
    });
    await test.step("layout and targets; 320 px is also a window of 1280 px at 400 % zoom", async () => {
      for (const width of [320, 360, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await expectGoodLayout(page);
        expect(await findHiddenParts(page), `${width} px`).toEqual([]);
      }
    });
    await test.step("text spaced as widely as a person may ask for (WCAG 1.4.12)", async () => {
      await page.evaluate(() => {
        const style = new CSSStyleSheet();
        style.replaceSync(`
          * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
          p { margin-block-end: 2em !important }
        `);
        document.adoptedStyleSheets = [style];
      });
      for (const width of [1440, 320]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await findLayoutProblems(page), `${width} px`).toEqual([]);
      }
      await page.evaluate(() => {
        document.adoptedStyleSheets = [];
      });
    });
    await withDoubleTextSize(page, async () => {
      for (const width of [320, 360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await findBrokenWords(page.getByRole("banner")), `header, ${width} px`).toEqual([]);
        if (width >= 360) expect(await findLayoutProblems(page), `${width} px`).toEqual([]);
      }
    });
  });
}
