import type { Locator, Page } from "@playwright/test";

const tabsMax = 60;

/** A person who presses and writes with one input method only. */
export interface Person {
  press: (target: Locator) => Promise<void>;
  write: (target: Locator, text: string) => Promise<void>;
}

export const mouseUser: Person = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
};

/** The keyboard is tested at a phone's width, where the page is longest. */
export async function keyboardUser(page: Page): Promise<Person> {
  await page.setViewportSize({ width: 360, height: 740 });
  return {
    async press(target) {
      await reach(page, target);
      await page.keyboard.press("Enter");
    },
    async write(target, text) {
      await reach(page, target);
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.insertText(text);
    },
  };
}

/** Moves the focus forward or back to the target, as a person would. */
async function reach(page: Page, target: Locator) {
  // Wait for hydration: before it, buttons are disabled and cannot get the focus.
  await target.and(page.locator(":enabled, a")).waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    const key = await target.evaluate((element) => {
      const { activeElement } = document;
      if (element === activeElement) return undefined;
      const isBefore =
        activeElement && activeElement.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING;
      return isBefore ? "Shift+Tab" : "Tab";
    });
    if (!key) return;
    await page.keyboard.press(key);
  }
  throw new Error(`The keyboard does not reach ${target} in ${tabsMax} steps.`);
}
