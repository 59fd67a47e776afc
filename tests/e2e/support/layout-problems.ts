import type { Page } from "@playwright/test";

/** The selector of an element, and its first and last grid column from 1 to 12. An undefined column is not checked. */
type LayoutPart = readonly [selector: string, first: number | undefined, last: number | undefined];
/** The elements of a row from left to right. In a row with `over` they overlap on purpose. */
export type LayoutRow = readonly LayoutPart[] | { over: readonly LayoutPart[] };

/** The design's grid of twelve columns at one window width: its outer edges and the gap between two columns. */
export interface Grid {
  left: number;
  right: number;
  gap: number;
}

/**
 * How far an edge may be from its column, in pixels. This is less than half of the narrowest gap. It is far more than
 * the distance by which another font moves an edge.
 */
export const tolerance = 6;

/**
 * Checks that each row is below the one before, that the parts of a row are side by side, and that edges are on their
 * columns. Heights and line breaks are not checked, because they depend on the font.
 */
export async function findLayoutProblems(page: Page, grid: Grid, rows: readonly LayoutRow[]): Promise<string[]> {
  const problems: string[] = [];
  let rowTop = 0;
  for (const row of rows) {
    const parts = "over" in row ? row.over : row;
    const boxes = await Promise.all(parts.map(([selector]) => boxOf(page, selector)));
    const present = boxes.filter((box) => box !== undefined);
    for (const [index, [selector, first, last]] of parts.entries()) {
      const box = boxes[index];
      if (!box) {
        problems.push(`${selector} is not visible`);
        continue;
      }
      const { begin, end } = edgesOf(grid, first ?? 1, last ?? 12);
      if (first && Math.abs(box.left - begin) > tolerance)
        problems.push(`${selector} begins at ${box.left}, not at ${begin}`);
      if (last && Math.abs(box.right - end) > tolerance)
        problems.push(`${selector} ends at ${box.right}, not at ${end}`);
      if (box.top < rowTop - tolerance) problems.push(`${selector} begins at ${box.top}, above ${rowTop}`);
      const before = boxes[index - 1];
      if (!before) continue;
      if (box.top >= before.bottom || before.top >= box.bottom)
        problems.push(`${selector} is not beside its neighbour`);
      if (!("over" in row) && box.left < before.right - 1) problems.push(`${selector} covers its neighbour`);
    }
    rowTop = Math.max(rowTop, ...present.map(({ bottom }) => bottom));
  }
  return problems;
}

function edgesOf({ left, right, gap }: Grid, first: number, last: number) {
  const column = (right - left - 11 * gap) / 12;
  const begin = left + (first - 1) * (column + gap);
  return { begin, end: left + last * column + (last - 1) * gap };
}

/** The box of an element in pixels of the page; undefined if the element is not visible. */
function boxOf(page: Page, selector: string) {
  return page.evaluate((wanted) => {
    const element = document.querySelector(wanted);
    if (!element?.checkVisibility()) return undefined;
    const { top, left, bottom, right } = element.getBoundingClientRect();
    return { top: top + scrollY, left: left + scrollX, bottom: bottom + scrollY, right: right + scrollX };
  }, selector);
}
