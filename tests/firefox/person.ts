import { type Browser, launch, type Page } from "puppeteer-core";
import { findFirefox } from "../../scripts/browsers.mjs";
import { testSiteSettings } from "../support/site.ts";

/** The actions of a person on a page in Firefox. Each action rejects if it takes longer than the time limit. */
export interface Person {
  page: Page;
  goTo(path: string): Promise<void>;
  /** Clicks the control with this accessible name. */
  press(role: "button" | "link" | "radio", name: string): Promise<void>;
  write(field: string, text: string): Promise<void>;
  /** Resolves when the text is visible. */
  see(text: string): Promise<void>;
  /** Resolves when the page is at this path of the site. */
  arriveAt(path: string): Promise<void>;
}

const limit = { timeout: 30_000 };

/** Starts an unmodified Firefox with a profile of its own. */
export async function startFirefox({ javaScript = true } = {}): Promise<Browser> {
  const executablePath = findFirefox();
  if (!executablePath) throw new Error("There is no Firefox here: npm run test:long says how to get one.");
  // WebDriver BiDi in Firefox cannot disable JavaScript for one page; this preference disables it for the browser.
  const extraPrefsFirefox = { "javascript.enabled": javaScript };
  return launch({ browser: "firefox", executablePath, headless: true, extraPrefsFirefox });
}

export async function openPage(browser: Browser): Promise<Person> {
  const page = await browser.newPage();
  page.setDefaultTimeout(limit.timeout);
  const absolute = (path: string) => new URL(path, testSiteSettings.SITE_URL).href;
  return {
    page,
    goTo: async (path) => void (await page.goto(absolute(path), limit)),
    press: (role, name) => page.locator(`::-p-aria([name="${name}"][role="${role}"])`).click(),
    write: (field, text) => page.locator(`input[name="${field}"]`).fill(text),
    see: async (text) => void (await page.waitForSelector(`::-p-text(${text})`, { visible: true })),
    arriveAt: async (path) => void (await page.waitForFunction((url) => location.href === url, {}, absolute(path))),
  };
}
