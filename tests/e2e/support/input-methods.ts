import type { Locator, Page } from "@playwright/test";

/** The keyboard is tested at a phone's width, where the page is longest. */
export type InputMethod = "the mouse" | "the keyboard alone, at 360 px";
/** Tests of behaviour that may differ between mouse and keyboard run with both; all other tests run with one. */
export const inputMethods: readonly InputMethod[] = ["the mouse", "the keyboard alone, at 360 px"];

const tabsMax = 60;

export interface Person {
  press: (target: Locator) => Promise<void>;
  write: (target: Locator, text: string) => Promise<void>;
}

/** A person who presses and writes with one input method only. */
export async function personWith(method: InputMethod, page: Page): Promise<Person> {
  if (method !== "the mouse") return keyboardUser(page);
  return mouseUser;
}

export const mouseUser: Person = {
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
};

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
      await page.keyboard.type(text);
    },
  };
}

async function reach(page: Page, target: Locator) {
  // Wait for hydration: before it, buttons are disabled and cannot get the focus.
  await target.and(page.locator(":enabled, a")).waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${target} in ${tabsMax} steps.`);
}
