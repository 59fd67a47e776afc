import { expect, test } from "./support/fixtures.ts";
import { findLayoutProblems, tolerance } from "./support/layout-problems.ts";
import { auth, grids, landing, legal, serviceRows, sideBySide, widths } from "./support/page-layouts.ts";

/** The header's height in pixels, the same at every width: it has one line of text and room for a touch target. */
const headerHeights = { public: 76, login: 56 };

for (const [path, rows, headerHeight] of [
  ["/", landing, headerHeights.public],
  ["/auth", auth, headerHeights.login],
  ["/privacy-policy", legal, headerHeights.public],
] as const) {
  test(`the page at ${path} keeps its layout on phone, tablet and desktop, in any font`, async ({ page }) => {
    await page.goto(path);
    for (const family of ["", "sans-serif"]) {
      await page.evaluate((name) => {
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(name && `* { font-family: ${name} !important; }`);
        document.adoptedStyleSheets = [sheet];
      }, family);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        expect(await findLayoutProblems(page, grids[width], rows[width]), `${width} px ${family}`).toEqual([]);
        const header = await page.getByRole("banner").boundingBox();
        expect(header).toMatchObject({ x: 0, y: 0, width });
        expect(Math.abs((header?.height ?? 0) - headerHeight)).toBeLessThanOrEqual(tolerance);
      }
    }
  });
}

test("three, five and six services fill all columns of their last row, too", async ({ page }) => {
  await page.goto("/");
  for (const [width, count] of ([768, 1440] as const).flatMap((width) =>
    [3, 5, 6].map((count) => [width, count] as const),
  )) {
    const rows = serviceRows[width][count] ?? [];
    await page.setViewportSize({ width, height: 900 });
    await page.locator("#services ul").evaluate((list, wanted) => {
      while (list.childElementCount > wanted) list.lastElementChild?.remove();
      while (list.childElementCount < wanted) list.append(list.firstElementChild?.cloneNode(true) ?? "");
    }, count);
    const problems = await findLayoutProblems(page, grids[width], sideBySide("#services li", count, rows));
    expect(problems, `${count} services at ${width} px`).toEqual([]);
  }
});

test("the layout check detects shifted, swapped, stacked and overlapping blocks", async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/");
  for (const [selector, style, problem] of [
    ["#services li:nth-child(2)", "position: relative; left: 12px", "#services li:nth-child(2) begins at"],
    ["#hero figure", "grid-column: 1 / 8", "#hero figure begins at"],
    ["article ~ div > article:nth-child(2)", "grid-row: 2", "is not beside its neighbour"],
    ["#about ul", "margin-top: -400px", "above"],
    ["#contact aside", "display: none", "#contact aside is not visible"],
    ["#contact form", "width: 130%", "#contact aside covers its neighbour"],
    ["main", "order: 1", "above"],
  ] as const) {
    const block = page.locator(selector);
    await block.evaluate((element: HTMLElement, text) => {
      element.style.cssText = text;
    }, style);
    const problems = await findLayoutProblems(page, grids[1440], landing[1440]);
    expect(problems.join("\n"), `${selector} { ${style} }`).toContain(problem);
    await block.evaluate((element) => element.removeAttribute("style"));
  }
  expect(await findLayoutProblems(page, grids[1440], landing[1440])).toEqual([]);
});
