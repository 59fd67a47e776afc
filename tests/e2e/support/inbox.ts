import type { Page } from "@playwright/test";
import { test as base } from "./accounts.ts";

interface Fixtures {
  /**
   * Stores contacts and returns their email addresses in the order of the list. The newest one is sent `ahead` of now,
   * by default in the future, so at the top of the list. The contacts are removed after the test.
   */
  storeContacts: (count: number, values?: { ahead?: string; name?: string }) => Promise<string[]>;
}

export const test = base.extend<Fixtures>({
  storeContacts: async ({ database }, use) => {
    const stored: string[] = [];
    await use(async (count, { ahead = "1 hour", name = "Bea Wren" } = {}) => {
      const { rows } = await database.query(
        // Each three contacts have the same time.
        `with stored as (
           insert into contacts (name, company, email, interest, submitted_at)
           select $3 || ' ' || number, case number when 0 then '' else 'Wren & Sons' end,
             'contact-' || number || '-' || gen_random_uuid() || '@example.com', 'co-development',
             now() + $2::interval - number / 3 * interval '1 second'
           from generate_series(0, $1::integer - 1) number
           returning id, email, submitted_at
         )
         select email from stored order by submitted_at desc, id`,
        [count, ahead, name],
      );
      const emails = rows.map(({ email }): string => email);
      stored.push(...emails);
      return emails;
    });
    await database.query("delete from contacts where email = any($1)", [stored]);
  },
});

/** A call for a list of contacts, newest first; not for a number, which is asked for without a row. */
export const listCall = /\/rest\/v1\/contacts\?.*order=submitted_at\.desc/;
export const countCall = /\/rest\/v1\/contacts\?.*limit=0/;

/** The rows of the list, without the one of the headings. */
export const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });

/** The addresses of the stored contacts that the list shows, in its order. */
export async function shownEmails(page: Page): Promise<string[]> {
  const texts = await page.getByRole("row").getByRole("link", { name: "@" }).allTextContents();
  return texts.filter((text) => text.startsWith("contact-"));
}

export { expect } from "./accounts.ts";
