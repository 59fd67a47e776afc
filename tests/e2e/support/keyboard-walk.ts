import type { Page } from "@playwright/test";
import { contrast } from "#site/styles/oklch.ts";

/**
 * Presses Tab, or Shift+Tab, through the page. Reports controls that are not reached or come in another order than they
 * are placed, and stops whose focus cannot be seen.
 */
export async function findFocusProblems(page: Page, key: "Tab" | "Shift+Tab"): Promise<string[]> {
  const count = await page.evaluate(watchFocus);
  for (let pressed = 0; pressed <= count; pressed++) await page.keyboard.press(key);
  const stops = await page.evaluate(() => window.focusStops);
  const problems = stops.flatMap(({ name, ring, ground, problems }) => [
    ...problems.map((problem) => `“${name}” ${problem}`),
    ...(contrast(hexOf(ring), hexOf(ground)) < 3 ? [`the focus ring of “${name}” has too little contrast`] : []),
  ]);
  if (stops.length !== count) problems.push(`${stops.length} of ${count} controls are reached`);
  const inOrder = key === "Tab" ? stops : stops.toReversed();
  for (const [index, { name, box }] of inOrder.entries()) {
    const before = inOrder[index - 1];
    // The first stop, the skip link, lies over the corner of the page.
    if (!before || index === 1) continue;
    const isBelowOrRight = box.top >= before.box.bottom - 4 || box.left >= before.box.right - 4;
    if (!isBelowOrRight) problems.push(`“${name}” is focused after “${before.name}” but placed before it`);
  }
  return problems;
}

function hexOf(rgb: string): string {
  const channels = rgb.match(/\d+/g)?.slice(0, 3) ?? [];
  return `#${channels.map((channel) => Number(channel).toString(16).padStart(2, "0")).join("")}`;
}

/** A control that the Tab key reaches, and its box in pixels of the page. */
interface Stop {
  name: string;
  box: { top: number; left: number; bottom: number; right: number };
  ring: string;
  ground: string;
  problems: string[];
}

declare global {
  interface Window {
    focusStops: Stop[];
  }
}

/**
 * Moves the focus out of the controls, notes every stop from then on, and returns the number of stops to expect. A
 * radio group is one stop, as in browsers. Runs in the page.
 */
function watchFocus(): number {
  const seen = new Set<HTMLElement>();
  window.focusStops = [];
  // The page has scrolled to the focused control only when the key is released.
  document.onkeyup = () => document.activeElement instanceof HTMLElement && note(document.activeElement);
  scrollTo({ top: 0, behavior: "instant" });
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute("tabindex");

  const controls = [...document.querySelectorAll<HTMLElement>("a, button, input, select, summary, [tabindex]")];
  const stops = controls.filter((control) => {
    const isReachable = control.tabIndex >= 0 && !control.matches(":disabled, a:not([href])");
    return isReachable && control.checkVisibility({ visibilityProperty: true });
  });
  return new Set(stops.map((stop) => (stop.matches("[type=radio]") ? stop.getAttribute("name") : stop))).size;

  function note(focused: HTMLElement) {
    if (focused === document.body || seen.has(focused)) return;
    seen.add(focused);
    // A radio's focus ring is drawn around its label.
    const target = focused.closest("label") ?? focused;
    const { top, left, bottom, right } = target.getClientRects()[0] ?? target.getBoundingClientRect();
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(target);
    const ring = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset) - 0.5; // half a pixel for rounding
    const problems: string[] = [];
    if (outlineStyle === "none" || Number.parseFloat(outlineWidth) < 2) problems.push("has no focus ring");
    const isInside = top >= ring && bottom + ring <= innerHeight && left >= 0 && right <= innerWidth;
    if (!isInside) problems.push("is not completely in the window");
    const header = document.querySelector("body > header");
    const isOverHeader = header?.contains(target) || target.matches("body > a");
    if (header && !isOverHeader && top - ring < header.getBoundingClientRect().bottom)
      problems.push("is under the header");
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    if (!hit || !(target.contains(hit) || hit.contains(target))) problems.push(`is covered by ${hit?.tagName}`);
    window.focusStops.push({
      name: focused.getAttribute("aria-label") ?? (target.textContent?.trim() || focused.id),
      box: { top: top + scrollY, left: left + scrollX, bottom: bottom + scrollY, right: right + scrollX },
      ring: outlineColor,
      ground: groundOf(target.parentElement),
      problems,
    });
  }

  function groundOf(element: Element | null): string {
    const colour = element ? getComputedStyle(element).backgroundColor : "rgb(255, 255, 255)";
    return colour === "rgba(0, 0, 0, 0)" ? groundOf(element?.parentElement ?? null) : colour;
  }
}
