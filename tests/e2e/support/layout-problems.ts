import type { Page } from "@playwright/test";

/** A part by its selector, and the columns of the grid, from 1 to 12, that it begins and ends on. */
export type LayoutPart = readonly [selector: string, first: number | undefined, last: number | undefined];
/** What stands side by side, from left to right. `over` says that the parts are drawn into each other on purpose. */
export type LayoutRow = readonly LayoutPart[] | { over: readonly LayoutPart[] };

/** The grid of the brief at one width of the window: its outer edges, and the gap between two columns. */
export interface Grid {
  left: number;
  right: number;
  gap: number;
}

/** Half a gap, and far more than two fonts differ in the edges of a block. */
export const tolerance = 6;

/**
 * Compares where the parts stand with where they should: each row below the one before, the parts of a row side by side,
 * edges on their columns. Heights and lines of text are left open, because they follow the font.
 */
export async function findLayoutProblems(page: Page, grid: Grid, rows: readonly LayoutRow[]): Promise<string[]> {
  const complaints: string[] = [];
  let ground = 0;
  for (const row of rows) {
    const parts = "over" in row ? row.over : row;
    const boxes = await Promise.all(parts.map(([selector]) => boxOf(page, selector)));
    const present = boxes.filter((box) => box !== undefined);
    for (const [index, [selector, first, last]] of parts.entries()) {
      const box = boxes[index];
      if (!box) {
        complaints.push(`${selector} is not there`);
        continue;
      }
      const { begin, end } = edgesOf(grid, first ?? 1, last ?? 12);
      if (first && Math.abs(box.left - begin) > tolerance)
        complaints.push(`${selector} begins at ${box.left}, not at ${begin}`);
      if (last && Math.abs(box.right - end) > tolerance)
        complaints.push(`${selector} ends at ${box.right}, not at ${end}`);
      if (box.top < ground - tolerance) complaints.push(`${selector} begins at ${box.top}, above ${ground}`);
      const before = boxes[index - 1];
      if (!before) continue;
      if (box.top >= before.bottom || before.top >= box.bottom)
        complaints.push(`${selector} is not beside its neighbour`);
      if (!("over" in row) && box.left < before.right - 1) complaints.push(`${selector} covers its neighbour`);
    }
    ground = Math.max(ground, ...present.map(({ bottom }) => bottom));
  }
  return complaints;
}

function edgesOf({ left, right, gap }: Grid, first: number, last: number) {
  const column = (right - left - 11 * gap) / 12;
  const begin = left + (first - 1) * (column + gap);
  return { begin, end: left + last * column + (last - 1) * gap };
}

/** In pixels of the page. */
function boxOf(page: Page, selector: string) {
  return page.evaluate((wanted) => {
    const element = document.querySelector(wanted);
    if (!element?.checkVisibility()) return undefined;
    const { top, left, bottom, right } = element.getBoundingClientRect();
    return { top: top + scrollY, left: left + scrollX, bottom: bottom + scrollY, right: right + scrollX };
  }, selector);
}
