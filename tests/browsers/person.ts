import { expect, vi } from "vitest";
import { testSiteSettings } from "../support/site.ts";
import type { Browser } from "./web-driver.ts";

/** The actions of a person in a browser. Each is tried until it succeeds, for at most 30 seconds. */
export interface Person {
  goTo(path: string): Promise<void>;
  /** Clicks the first visible control whose text begins with this name. */
  press(role: keyof typeof selectors, name: string): Promise<void>;
  write(field: string, text: string): Promise<void>;
  /** Presses a key outside of all fields. */
  pressKey(key: string): Promise<void>;
  /** Resolves when the text is visible. */
  see(text: string): Promise<void>;
  /** Resolves when the page is at this path of the site. */
  arriveAt(path: string): Promise<void>;
  /** Runs a function's body in the page. */
  inPage(script: string, ...args: unknown[]): Promise<unknown>;
}

/** How WebDriver writes the key Escape. */
export const escapeKey = "\uE00C";

const selectors = { button: "button:enabled", link: "a", radio: "label:has([type=radio])", page: "html" };

/** WebKit's own scrolling is as smooth as the page's, and its click would come too early. */
const findControl = `
  const [selector, name] = arguments;
  const isFound = (control) => control.checkVisibility() && control.textContent.trim().startsWith(name);
  const found = [...document.querySelectorAll(selector)].find(isFound);
  found?.scrollIntoView({ behavior: "instant", block: "center" });
  return found`;

export function personIn({ send }: Browser): Person {
  const absolute = (path: string) => new URL(path, testSiteSettings.SITE_URL).href;
  const inPage = (script: string, ...args: unknown[]) => send("ExecuteScript", { script, args });

  async function find(selector: string, name = ""): Promise<string> {
    const [id] = Object.values((await inPage(findControl, selector, name)) ?? {});
    if (!id) throw new Error(`There is no ${selector} ${name}.`);
    return id;
  }
  return {
    inPage,
    goTo: async (path) => void (await send("Navigate", { url: absolute(path) })),
    press: (role, name) => until(async () => send("ElementClick", { id: await find(selectors[role], name) })),
    write: (field, text) =>
      until(async () => send("ElementSendKeys", { id: await find(`input[name="${field}"]`), text })),
    pressKey: async (text) => void (await send("ElementSendKeys", { id: await find("body"), text })),
    see: (text) => expect.poll(() => inPage("return document.body.innerText")).toContain(text),
    arriveAt: (path) => expect.poll(() => inPage("return location.href")).toBe(absolute(path)),
  };
}

/** Repeats an action that fails, for example because something else is still in front of the control. */
async function until(action: () => Promise<unknown>): Promise<void> {
  await vi.waitFor(action, { timeout: 30_000 });
}
