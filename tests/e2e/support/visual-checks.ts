import type { Locator, Page } from "@playwright/test";
import { expectNoAccessibilityProblems, findSmallTargets } from "./accessibility.ts";
import { expect } from "./fixtures.ts";

/** Checks a page as it is now: axe, its layout, and the size of its targets. */
export async function expectGoodPage(page: Page, { within = "main" } = {}) {
  await expectNoAccessibilityProblems(page, { within });
  await expectGoodLayout(page);
}

/** Checks at the present width that nothing is cut off, hidden or over something else, and that targets are large. */
export async function expectGoodLayout(page: Page) {
  expect([...(await findLayoutProblems(page)), ...(await findSmallTargets(page))]).toEqual([]);
}

/** Reports a page that scrolls sideways, text that is cut off, and text or neighbouring blocks over each other. */
export function findLayoutProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    type Box = Pick<DOMRect, "top" | "left" | "bottom" | "right">;
    const problems: string[] = [];
    const excess = document.documentElement.scrollWidth - innerWidth;
    if (excess > 0) problems.push(`The page scrolls sideways by ${excess} px.`);

    const lines = [...linesOfText()];
    for (const { text, box, element } of lines) {
      if (box.left < -1 || box.right > innerWidth + 1) problems.push(`“${text}” leaves the window`);
      for (let around: Element | null = element; around && around !== document.body; around = around.parentElement) {
        const { overflowX, overflowY, display } = getComputedStyle(around);
        if ((overflowX === "visible" && overflowY === "visible") || display === "inline") continue;
        const edge = around.getBoundingClientRect();
        const isCut = box.left < edge.left - 1 || box.right > edge.right + 1;
        if (isCut || (overflowY !== "auto" && box.bottom > edge.bottom + 1)) problems.push(`“${text}” is cut off`);
      }
    }
    for (const [index, one] of lines.entries())
      for (const other of lines.slice(index + 1))
        if (one.element !== other.element && isOver(one.box, other.box))
          problems.push(`“${one.text}” and “${other.text}” are printed over each other`);
    for (const block of document.querySelectorAll(
      "main :is(article, aside, figure, form, h2, :not(figure) > ul > li)",
    )) {
      const next = block.nextElementSibling;
      if (next && isOver(block.getBoundingClientRect(), next.getBoundingClientRect()))
        problems.push(`“${block.textContent.slice(0, 40)}” and “${next.textContent.slice(0, 40)}” cover each other`);
    }
    return problems;

    function* linesOfText() {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const element = node.parentElement;
        const text = node.textContent?.trim();
        if (!text || !element?.checkVisibility({ visibilityProperty: true })) continue;
        // Leave out the sticky header, which may lie over text, and the skip link, which is off-screen until focused.
        if (element.closest("svg, header, body > a")) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const { top, left, bottom, right } of range.getClientRects()) {
          // Cut a quarter of the height off each box, at the top and at the bottom. Where the line height is small, the
          // boxes of two lines overlap although their letters do not.
          const margin = (bottom - top) / 4;
          yield { text: text.slice(0, 40), element, box: { top: top + margin, left, bottom: bottom - margin, right } };
        }
      }
    }

    function isOver(one: Box, other: Box) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return across > 2 && down > 2;
    }
  });
}

/** Reports parts of the page with text that are not shown. */
export function findHiddenParts(page: Page): Promise<string[]> {
  return page.locator("main :is(h2, h3, h4, p, li, form, aside, figure)").evaluateAll((parts) => {
    const withText = parts.filter((part) => part.textContent.trim() && !part.closest("noscript, [hidden]"));
    // A part with `display: contents` has no box of its own.
    const hidden = withText.filter((part) => !part.checkVisibility() && getComputedStyle(part).display !== "contents");
    return hidden.map(({ outerHTML }) => outerHTML.slice(0, 80));
  });
}

/** Reports words that are broken into two lines or leave the window. */
export function findBrokenWords(parts: Locator): Promise<string[]> {
  return parts.evaluateAll((all) =>
    all.flatMap((part) => {
      const problems: string[] = [];
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement?.checkVisibility({ visibilityProperty: true })) continue;
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const { left, right } = range.getBoundingClientRect();
          if (range.getClientRects().length > 1) problems.push(`“${word}” is broken`);
          if (left < 0 || right > innerWidth) problems.push(`“${word}” leaves the window`);
        }
      }
      return problems;
    }),
  );
}

/** Looks at a page with twice the text size of the browser's settings, which also enlarges em in media queries. */
export async function withDoubleTextSize(page: Page, look: () => Promise<void>) {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  await look();
  await devtools.send("Page.setFontSizes", { fontSizes: { standard: 16 } });
}
