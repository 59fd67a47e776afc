import type { Page } from "@playwright/test";
import { navigationWords } from "#content/navigation";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/fixtures.ts";
import { findOrderProblems, numberStops, walk } from "./support/keyboard-walk.ts";
import { openHydrated, publicPaths } from "./support/public-pages.ts";
import { findTextProblems, smallTargets } from "./support/visual-checks.ts";

for (const path of publicPaths) {
  // One load for all that only looks: each step sets the window it looks through, and leaves the page as it was.
  test(`${path} can be heard, read, hit and walked through with the keyboard`, async ({ page }) => {
    await openHydrated(page, path);
    await test.step("landmarks, an outline, and words for the pictures", () => expectStructure(page));
    await test.step("nothing for an auditor to find", () => expectNoAccessibilityProblems(page));
    await test.step("the keyboard reaches everything once, in reading order and always in sight", () =>
      expectWalkable(page));
    await test.step("read at 320 px, at 200 % and with text twice as large, and every target hit", () =>
      expectReadable(page));
  });
}

async function expectStructure(page: Page) {
  await expect(page.locator("html")).toHaveAttribute("lang", "en-GB");
  await expect(page.locator("body")).toMatchAriaSnapshot(`
    - link "${navigationWords.skip}"
    - banner:
      - navigation "${navigationWords.main}"
    - main
    - contentinfo:
      - navigation "${navigationWords.legal}"
  `);
  const [first, ...others] = await page
    .getByRole("heading")
    .evaluateAll((headings) => headings.map(({ tagName }) => Number(tagName.slice(1))));
  expect([first, ...others].filter((level) => level === 1)).toEqual([1]);
  expect(first).toBe(1);
  others.forEach((level, index) => {
    expect(level).toBeLessThanOrEqual((others[index - 1] ?? 1) + 1);
  });

  const silent = await page.locator("main :is(svg, img), footer svg, header svg").evaluateAll((pictures) =>
    pictures
      .filter((picture) => picture.getAttribute("aria-hidden") !== "true")
      .filter((picture) => (picture.getAttribute("aria-label") ?? "").length < 20)
      .map((picture) => picture.outerHTML.slice(0, 80)),
  );
  expect(silent).toEqual([]);
}

async function expectWalkable(page: Page) {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const count = await numberStops(page);

    const there = await walk(page, "Tab");
    expect(there.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect(findOrderProblems(there)).toEqual([]);

    await page.locator(`[data-stop="${count}"]`).last().focus();
    const back = (await walk(page, "Shift+Tab")).slice(0, count - 1);
    expect(back.map(({ number }) => number)).toEqual(Array.from({ length: count - 1 }, (_, at) => count - 1 - at));
    expect([...there, ...back].flatMap(({ problems }) => problems)).toEqual([]);
  }
}

async function expectReadable(page: Page) {
  // 360 and 640 px are windows of 720 and 1280 at 200 %, 320 px is one of 1280 at 400 %.
  for (const width of [320, 360, 640, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findTextProblems(page), `${width} px`).toEqual([]);
    expect(await smallTargets(page), `${width} px`).toEqual([]);
  }
  // The text size of the browser's own settings: what the conditions of the stylesheets are counted in grows with it.
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  for (const width of [360, 640, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findTextProblems(page), `text at 200 %, ${width} px`).toEqual([]);
  }
}
