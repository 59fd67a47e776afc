import { randomUUID } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import pg from "pg";
import { embeddedConnection } from "#backend/database/embedded/embedded-postgres";
import { contactWords, findInterestLabel } from "#content/contact";
import type { Interest } from "#validation/contact";
import { takePictures } from "./pictures.ts";

interface Draft {
  name: string;
  company: string;
  email: string;
  interest: string | undefined;
}

interface Fixtures {
  /** A contact with an email address that no other test uses. */
  draft: Draft;
  /** Types a draft into the contact form of the open page. */
  fillIn: (draft: Draft) => Promise<void>;
  /** The stored contacts from this email address, oldest first. */
  storedFrom: (email: string) => Promise<Record<"name" | "company" | "email" | "interest", string>[]>;
}

export const test = base.extend<Fixtures, { database: pg.Pool }>({
  draft: async ({ browserName: _ }, use) => {
    const email = `visitor-${randomUUID()}@example.com`;
    await use({ name: "Ada Heron", company: "Heron and Daughters", email, interest: labelOf("partnerships") });
  },

  fillIn: async ({ page }, use) => {
    await use(async ({ name, company, email, interest }) => {
      await page.getByLabel(contactWords.name, { exact: true }).fill(name);
      await page.getByLabel(contactWords.company).fill(company);
      await page.getByLabel(contactWords.email).fill(email);
      if (interest) await page.getByRole("radio", { name: interest }).check();
    });
  },

  storedFrom: async ({ database }, use) => {
    await use(async (email) => {
      const sql = "select name, company, email, interest from contacts where email = $1 order by submitted_at";
      return (await database.query(sql, [email])).rows;
    });
  },

  database: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern
    async ({}, use) => {
      const pool = new pg.Pool({ ...(await embeddedConnection(process.env.E2E_DATA_DIR ?? "")), max: 2 });
      await use(pool);
      await pool.end();
    },
    { scope: "worker" },
  ],

  // An unexpected console error or uncaught exception fails the test.
  page: async ({ page }, use, info) => {
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
    await use(page);
    if (process.env.SCREENSHOTS) await takePictures(page, info);
    const expected = info.annotations
      .filter(({ type }) => type === "console error")
      .map(({ description = "" }) => description);
    expect(errors.filter((text) => !expected.some((part) => text.includes(part)))).toEqual([]);
  },
});

/** Lets the running test pass despite console errors and uncaught exceptions whose message contains this text. */
export function expectConsoleError(part: string) {
  test.info().annotations.push({ type: "console error", description: part });
}

/**
 * Resolves when the page has loaded and its idle callbacks have run. Chromium is idle only after it has drawn a frame,
 * which may take a minute on a busy machine. The page's idle callbacks therefore have a timeout. The callback
 * here has a longer timeout, so that it runs last.
 */
export async function untilIdle(page: Page) {
  await page.waitForLoadState("load");
  await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 3000 })));
}

/** Opens a page and waits for hydration: before it, some controls are disabled and the checks would skip them. */
export async function openHydrated(page: Page, path: string) {
  await page.goto(path);
  const islands = page.locator("astro-island");
  if ((await islands.count()) === 0) return;
  await islands.first().scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr], main button:disabled")).toHaveCount(0);
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

/** Scrolls to the contact form and waits for hydration: before it, the browser itself would submit the form. */
export async function openContactForm(page: Page) {
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
}

/** The visible label of a stored interest. */
export function labelOf(interest: Interest): string {
  return findInterestLabel(interest) ?? interest;
}

/** Returns a promise and the function that resolves it. A test uses the two to delay a response. */
export function hold() {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  return { released, release };
}

/** Holds back these requests until the returned function is called. */
export async function holdRequests(page: Page, address: Parameters<Page["route"]>[0]): Promise<() => void> {
  const { released, release } = hold();
  await page.route(address, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

export { expect };
