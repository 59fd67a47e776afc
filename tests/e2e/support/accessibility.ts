import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "@playwright/test";
import type axe from "axe-core";
import { expect } from "./fixtures.ts";

const source = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The colour schemes differ only in colours, so the dark one is checked with these rules alone. */
const rulesAboutColours = ["color-contrast", "link-in-text-block"];

/** Makes axe faster: no descriptions of passed rules, no loading of stylesheets that are already in the page. */
const onlyViolations: axe.RunOptions = { resultTypes: ["violations"], preload: false };

/**
 * Runs all rules of axe on a part of the current page, and those about colours in the dark scheme too. The header and the
 * footer are the same on all pages of their kind, so only some tests check the whole page.
 */
export async function expectNoAccessibilityProblems(page: Page, { within = "main", dark = false } = {}) {
  // Half of the time of a check would be a new copy of axe.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(source);
  expect(await findProblems(page, within, onlyViolations)).toEqual([]);
  if (!dark) return;
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await findProblems(page, within, { ...onlyViolations, runOnly: rulesAboutColours }), "dark").toEqual([]);
  await page.emulateMedia({ colorScheme: "light" });
}

/** The rules that are broken, with the elements that break them. */
function findProblems(page: Page, within: string, options: axe.RunOptions): Promise<string[]> {
  return page.evaluate(
    async ([selector, given]) => {
      const { violations } = await window.axe.run({ include: [selector] }, given);
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
    },
    [within, options] as const,
  );
}

/** Reports links and controls smaller than 44 × 44 px. Links within a sentence are exempt (WCAG 2.5.5, inline). */
export function findSmallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const targets = [...document.querySelectorAll<HTMLElement>("a[href], button, input, summary")]
      .filter((element) => element.checkVisibility({ visibilityProperty: true }) && !isWithinSentence(element))
      .map((element) => element.closest("label") ?? element);
    return targets.flatMap((target) => {
      const { width, height } = target.getBoundingClientRect();
      return width >= 44 && height >= 44 ? [] : [`“${target.textContent?.trim()}” is ${width} × ${height} px`];
    });

    function isWithinSentence(element: HTMLElement) {
      const sentence = element.parentElement?.textContent?.trim() ?? "";
      return getComputedStyle(element).display === "inline" && sentence !== element.textContent?.trim();
    }
  });
}

declare global {
  interface Window {
    axe: typeof axe;
  }
}
