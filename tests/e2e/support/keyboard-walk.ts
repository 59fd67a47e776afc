import type { Page } from "@playwright/test";

/** An element that the Tab key reaches, its box in pixels of the page, and the problems with its focus. */
export interface Stop {
  number: number;
  name: string;
  box: { top: number; left: number; bottom: number; right: number };
  problems: string[];
}

/**
 * Numbers the focusable elements in document order, moves the focus to the start of the page, and returns the number of
 * tab stops. A radio group is one stop, as in browsers.
 */
export function numberStops(page: Page): Promise<number> {
  return page.evaluate(() => {
    scrollTo({ top: 0, behavior: "instant" });
    document.body.tabIndex = -1;
    document.body.focus();
    document.body.removeAttribute("tabindex");

    const groups = new Map<string, number>();
    let count = 0;
    for (const element of document.querySelectorAll<HTMLElement>("a, button, input, select, summary, [tabindex]")) {
      delete element.dataset.stop;
      const isReachable = element.tabIndex >= 0 && !element.matches(":disabled, a:not([href])");
      if (!isReachable || !element.checkVisibility({ visibilityProperty: true })) continue;
      const group = element instanceof HTMLInputElement && element.type === "radio" ? element.name : undefined;
      const number = (group && groups.get(group)) || ++count;
      if (group) groups.set(group, number);
      const ring = getComputedStyle(element.closest("label") ?? element);
      Object.assign(element.dataset, { stop: number, unfocused: `${ring.outlineStyle} ${ring.outlineWidth}` });
    }
    return count;
  });
}

/** Presses the key until the focus leaves the page or reaches an element for the second time. */
export async function walk(page: Page, key: "Tab" | "Shift+Tab"): Promise<Stop[]> {
  const stops: Stop[] = [];
  for (;;) {
    await page.keyboard.press(key);
    const stop = await page.evaluate(readStop);
    if (!stop || stops.some(({ number }) => number === stop.number)) return stops;
    stops.push(stop);
  }
}

/** Reports each stop that is neither below nor to the right of the stop before. */
export function findOrderProblems(stops: readonly Stop[]): string[] {
  return stops.slice(1).flatMap((stop, index) => {
    const before = stops[index];
    if (!before || before.number === 1) return []; // stop 1, the skip link, lies over the corner of the page
    const isBelow = stop.box.top >= before.box.bottom - 4;
    const isRight = stop.box.left >= before.box.right - 4;
    return isBelow || isRight ? [] : [`“${stop.name}” is focused after “${before.name}” but placed before it`];
  });
}

/** Describes the focused element. Runs in the page, so it cannot use the functions of this file. */
export function readStop(): Stop | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
  // A radio's focus ring is drawn around its label.
  const target = focused.closest("label") ?? focused;
  const name = focused.getAttribute("aria-label") ?? (target.textContent?.trim() || focused.id);
  const [first = target.getBoundingClientRect()] = target.getClientRects();
  const { top, left, bottom, right } = first;

  const problems: string[] = [];
  const addProblem = (text: string) => problems.push(`“${name}” ${text}`);
  const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(target);
  const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) - 0.5; // half a pixel for rounding
  if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) addProblem("has no focus ring");
  if (focused.dataset.unfocused === `${outlineStyle} ${outlineWidth}`) addProblem("looks the same without focus");
  if (contrastOf(outlineColor, backgroundOf(target.parentElement)) < 3)
    addProblem("has a focus ring with too little contrast");
  const isInside = top >= ring && bottom + ring <= innerHeight && left >= 0 && right <= innerWidth;
  if (!isInside) addProblem("is not completely in the window");
  const header = document.querySelector("body > header");
  const isOverHeader = header?.contains(target) || target.matches("body > a");
  if (header && !isOverHeader && top - ring < header.getBoundingClientRect().bottom) addProblem("is under the header");
  const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (!hit || !(target.contains(hit) || hit.contains(target))) addProblem(`is covered by ${hit?.tagName}`);

  return {
    number: Number(focused.dataset.stop),
    name,
    box: { top: top + scrollY, left: left + scrollX, bottom: bottom + scrollY, right: right + scrollX },
    problems,
  };

  function backgroundOf(element: Element | null): string {
    const colour = element ? getComputedStyle(element).backgroundColor : "rgb(255, 255, 255)";
    return colour === "rgba(0, 0, 0, 0)" ? backgroundOf(element?.parentElement ?? null) : colour;
  }

  function contrastOf(one: string, other: string): number {
    const [dark = 0, light = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
    return (light + 0.05) / (dark + 0.05);
  }

  function luminanceOf(colour: string): number {
    const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map((part) => {
      const share = Number(part) / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  }
}
