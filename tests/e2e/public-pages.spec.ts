import type { Page } from "@playwright/test";
import { navigationWords } from "#content/navigation";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/fixtures.ts";
import { findOrderProblems, numberStops, walk } from "./support/keyboard-walk.ts";
import { openHydrated, publicPaths } from "./support/public-pages.ts";
import { findTextProblems, findWordProblems, smallTargets, widenTextSpacing } from "./support/visual-checks.ts";

for (const path of publicPaths) {
  // All checks share one page load: each step sets its own window size and leaves the content as it is.
  test(`the page at ${path} is readable, accessible and usable with the keyboard`, async ({ page }) => {
    await openHydrated(page, path);
    await test.step("landmarks, heading levels and text alternatives", () => expectStructure(page));
    await test.step("no accessibility problems", () => expectNoAccessibilityProblems(page));
    await test.step("the Tab key reaches each control once, in reading order, always visible", () =>
      expectWalkable(page));
    await test.step("text and targets at 320 px, at 200 % zoom and at 200 % text size", () => expectReadable(page));
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

  const unlabelled = await page.locator("main :is(svg, img), footer svg, header svg").evaluateAll((pictures) =>
    pictures
      .filter((picture) => picture.getAttribute("aria-hidden") !== "true")
      .filter((picture) =>
        picture.tagName === "IMG"
          ? !picture.hasAttribute("alt")
          : (picture.getAttribute("aria-label") ?? "").length < 20,
      )
      .map((picture) => picture.outerHTML.slice(0, 80)),
  );
  expect(unlabelled).toEqual([]);
}

async function expectWalkable(page: Page) {
  for (const width of [1440, 360]) {
    await page.setViewportSize({ width, height: 740 });
    const count = await numberStops(page);

    const forward = await walk(page, "Tab");
    expect(forward.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1));
    expect(findOrderProblems(forward)).toEqual([]);

    await page.locator(`[data-stop="${count}"]`).last().focus();
    const backward = (await walk(page, "Shift+Tab")).slice(0, count - 1);
    expect(backward.map(({ number }) => number)).toEqual(Array.from({ length: count - 1 }, (_, at) => count - 1 - at));
    expect([...forward, ...backward].flatMap(({ problems }) => problems)).toEqual([]);
  }
}

async function expectReadable(page: Page) {
  // Some of these widths are those of zoomed windows. At 200 % zoom, a window of 720 px has 360 CSS pixels, and a
  // window of 1280 px has 640. At 400 % zoom, a window of 1280 px has 320.
  for (const width of [320, 360, 640, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findTextProblems(page), `${width} px`).toEqual([]);
    expect(await smallTargets(page), `${width} px`).toEqual([]);
  }
  for (const width of [320, 360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 });
    const restore = await widenTextSpacing(page);
    expect(await findTextProblems(page), `wide text spacing, ${width} px`).toEqual([]);
    await restore();
  }
  // This doubles the text size in the browser's settings. Unlike a font size in CSS, that setting also enlarges the em
  // and rem in media queries.
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  for (const width of [320, 360, 640, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await findWordProblems(page.getByRole("banner")), `header at 200 %, ${width} px`).toEqual([]);
    if (width >= 360) expect(await findTextProblems(page), `text at 200 %, ${width} px`).toEqual([]);
  }
}
