import { randomUUID } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import pg from "pg";
import { contactWords } from "#content/contact";
import { embeddedConnection } from "#server/database/embedded/embedded-postgres";
import { type InterestLabel, labelOf } from "./labels.ts";

export interface Draft {
  name: string;
  company: string;
  email: string;
  interest: InterestLabel | undefined;
}

interface Fixtures {
  /** A contact nobody else sends. */
  draft: Draft;
  /** Types a draft into the form of the page that is open. */
  fillIn: (draft: Draft) => Promise<void>;
  /** What the database holds from this address, oldest first. */
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

  // What a page complains about is a failure of every test that does not expect it.
  page: async ({ page }, use, info) => {
    const complaints: string[] = [];
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
    await use(page);
    const expected = info.annotations
      .filter(({ type }) => type === "complaint")
      .map(({ description = "" }) => description);
    expect(complaints.filter((text) => !expected.some((part) => text.includes(part)))).toEqual([]);
  },
});

/** Marks a complaint of the page, by a part of its text, as the one that this test is about. */
export function expectConsoleError(part: string) {
  test.info().annotations.push({ type: "complaint", description: part });
}

/**
 * Resolves when the page has loaded and done all that it put off until it is idle. Chromium may draw no frame for a
 * minute while the processor is busy, and is not idle before it has: what pages put off has a timeout, this a longer one.
 */
export async function untilIdle(page: Page) {
  await page.waitForLoadState("load");
  await page.evaluate(() => new Promise<void>((done) => requestIdleCallback(() => done(), { timeout: 3000 })));
}

/** Scrolls to the contact form and waits until React has it: before that, it is sent as plain HTML and leads elsewhere. */
export async function openContactForm(page: Page) {
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
}

/** A promise to wait for, and the way to end that wait. */
export function hold() {
  let release = () => {};
  const released = new Promise<void>((done) => {
    release = done;
  });
  return { released, release };
}

export { expect };
