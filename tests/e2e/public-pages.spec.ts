import { navigationWords } from "#content/navigation";
import { publicPages } from "../support/built-site.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, expectConsoleError, openHydrated, test } from "./support/fixtures.ts";
import { findFocusProblems } from "./support/keyboard-walk.ts";
import { doubleTextSize, expectGoodLayout, findBrokenWords, findLayoutProblems } from "./support/visual-checks.ts";

const unknown = { path: "/no/such/path", errors: ["/no/such/path", "404"] };
const broken = { path: "/%ff", errors: ["400"] };

for (const { path, errors } of [...publicPages.map(({ path }) => ({ path, errors: [] })), unknown, broken]) {
  // All checks share one page load: each step sets its own window size and leaves the content as it is.
  test(`the page at ${path} is readable, accessible and usable with the keyboard`, async ({ page }) => {
    for (const error of errors) expectConsoleError(error);
    await page.setViewportSize({ width: 1440, height: 740 });
    await openHydrated(page, path);
    await expect(page.getByRole("navigation", { name: navigationWords.main })).toBeVisible();

    await test.step("axe at both layouts; the Tab key reaches each control, in reading order, always visible", async () => {
      await expectNoAccessibilityProblems(page, { dark: true });
      expect(await findFocusProblems(page, "Tab")).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await expectNoAccessibilityProblems(page);
      expect(await findFocusProblems(page, "Shift+Tab")).toEqual([]);
    });
    await test.step("layout and targets; 320 px is also a window of 1280 px at 400 % zoom", async () => {
      for (const width of [320, 360, 768, 1440]) {
        await page.setViewportSize({ width, height: 800 });
        await expectGoodLayout(page);
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
    await test.step("text of twice the size", async () => {
      await doubleTextSize(page);
      for (const width of [320, 360, 1280]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await findBrokenWords(page.getByRole("banner")), `header, ${width} px`).toEqual([]);
        if (width >= 360) expect(await findLayoutProblems(page), `${width} px`).toEqual([]);
      }
    });
  });
}

test("the first tab stop is a link that skips the header and focuses the content", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: navigationWords.skip })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toBeInViewport({ ratio: 1 });
});

test("three, five and six services fill all columns of their last row, too", async ({ page }) => {
  await page.goto("/");
  for (const count of [3, 5, 6]) {
    await page.locator("#services ul").evaluate((list, wanted) => {
      while (list.childElementCount > wanted) list.lastElementChild?.remove();
      while (list.childElementCount < wanted) list.append(list.firstElementChild?.cloneNode(true) ?? "");
    }, count);
    for (const width of [768, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      const gaps = await page.locator("#services ul").evaluate((list) => {
        const edge = list.getBoundingClientRect();
        const rows = Map.groupBy(
          [...list.children].map((item) => item.getBoundingClientRect()),
          ({ top }) => top,
        );
        return [...rows.values()].map((row) => [
          (row[0]?.left ?? 0) - edge.left,
          edge.right - (row.at(-1)?.right ?? 0),
        ]);
      });
      expect(
        gaps.flat().filter((gap) => Math.abs(gap) > 2),
        `${count} services at ${width} px`,
      ).toEqual([]);
    }
  }
});
