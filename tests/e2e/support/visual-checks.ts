import type { Locator, Page } from "@playwright/test";

/** Reports text that is cut off, outside the window or over other text, and a page that scrolls sideways. */
export function findTextProblems(page: Page): Promise<string[]> {
  return page.evaluate(() => {
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
    for (const [index, one] of lines.entries()) {
      for (const other of lines.slice(index + 1)) {
        if (one.element !== other.element && isOver(one.box, other.box))
          problems.push(`“${one.text}” and “${other.text}” are printed over each other`);
      }
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

    function isOver(one: Edges, other: Edges) {
      const across = Math.min(one.right, other.right) - Math.max(one.left, other.left);
      const down = Math.min(one.bottom, other.bottom) - Math.max(one.top, other.top);
      return across > 2 && down > 2;
    }

    interface Edges {
      top: number;
      left: number;
      bottom: number;
      right: number;
    }
  });
}

/** Spaces the text as widely as a person may ask for (WCAG 1.4.12). Returns a function that takes this back. */
export async function widenTextSpacing(page: Page): Promise<() => Promise<void>> {
  await page.evaluate(() => {
    const style = new CSSStyleSheet();
    style.replaceSync(`
      * { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }
      p { margin-block-end: 2em !important }
    `);
    document.adoptedStyleSheets = [style];
  });
  return () =>
    page.evaluate(() => {
      document.adoptedStyleSheets = [];
    });
}

/** Reports words that are broken into two lines, stick out of their part of the page or leave the window. */
export function findWordProblems(parts: Locator): Promise<string[]> {
  return parts.evaluateAll((all) => {
    return all.flatMap((part) => {
      const edge = part.getBoundingClientRect();
      return [...words(part)].flatMap(({ word, boxes: [box, ...others] }) => {
        if (!box) return [];
        if (others.length > 0) return [`“${word}” is broken`];
        // The letters of a low line are not as high as its box.
        const margin = box.height / 4;
        if (box.top + margin < edge.top || box.bottom - margin > edge.bottom) return [`“${word}” sticks out`];
        return box.left < 0 || box.right > innerWidth ? [`“${word}” leaves the window`] : [];
      });
    });

    function* words(part: Element) {
      const walker = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement?.checkVisibility({ visibilityProperty: true })) continue;
        for (const { 0: word, index } of (node.textContent ?? "").matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          yield { word, boxes: [...range.getClientRects()] };
        }
      }
    }
  });
}

/** Reports links and controls smaller than 44 × 44 px. Links within a sentence are exempt (WCAG 2.5.5, inline). */
export function smallTargets(page: Page): Promise<string[]> {
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
