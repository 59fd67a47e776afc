import type { Locator, Page } from "@playwright/test";

/** Two ways to get through a page. The keyboard is given a phone's width, where everything is longest. */
export type InputMethod = "the mouse" | "the keyboard alone, at 360 px";
/** For what differs between them. Else the keyboard is enough: it reaches the same links, buttons and fields. */
export const inputMethods: readonly InputMethod[] = ["the mouse", "the keyboard alone, at 360 px"];

const tabsMax = 60;

export interface Person {
  press: (target: Locator) => Promise<void>;
  write: (target: Locator, text: string) => Promise<void>;
}

/** Somebody who uses a page with one of the two only. */
export async function personWith(hands: InputMethod, page: Page): Promise<Person> {
  if (hands !== "the mouse") return keyboardUser(page);
  return { press: (target) => target.click(), write: (target, text) => target.fill(text) };
}

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
  // Nothing that is disabled gets the focus, and pages wake a moment after they are there.
  await target.and(page.locator(":enabled, a")).waitFor();
  for (let tabs = 0; tabs < tabsMax; tabs++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`The keyboard does not reach ${target} in ${tabsMax} steps.`);
}
