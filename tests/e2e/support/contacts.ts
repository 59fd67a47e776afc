import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { workWords } from "#content/inbox";
import { test as base } from "./accounts.ts";

interface StoredPerson {
  id: string;
  name: string;
  email: string;
}

interface People {
  /** Newest first. */
  people: StoredPerson[];
  /** The address of the inbox that lists these people and no others, with these parameters more. */
  address: (parameters?: Record<string, string>) => string;
}

interface Fixtures {
  /** Stores contacts that one search finds. They are removed after the test. */
  storePeople: (names: readonly string[], values?: { email?: string; state?: string }) => Promise<People>;
  /** The stored states of these contacts, by name. */
  statesOf: (people: readonly StoredPerson[]) => Promise<Record<string, string>>;
}

export const test = base.extend<Fixtures>({
  storePeople: async ({ database }, use) => {
    const words: string[] = [];
    await use(async (names, { email, state = "new" } = {}) => {
      const word = randomUUID().slice(0, 13);
      words.push(word);
      const people: StoredPerson[] = [];
      for (const [index, name] of names.entries()) {
        const address = email ?? `${name.toLowerCase().replaceAll(" ", ".")}@${word}.example.com`;
        const { rows } = await database.query(
          `insert into contacts (name, company, email, interest, submitted_at)
           values ($1, 'Company ' || $2, $3, 'consulting', now() - $4 * interval '1 minute') returning id, name, email`,
          [name, word, address, index],
        );
        people.push(rows[0]);
      }
      if (state !== "new")
        await database.query("update contacts set state = $1 where id = any($2)", [state, people.map(({ id }) => id)]);
      const address = (more = {}) => `/admin/contacts?${new URLSearchParams({ search: word, ...more })}`;
      return { people, address };
    });
    for (const word of words) await database.query("delete from contacts where company = 'Company ' || $1", [word]);
  },

  statesOf: async ({ database }, use) => {
    await use(async (people) => {
      const sql = "select name, state from contacts where id = any($1)";
      const { rows } = await database.query(sql, [people.map(({ id }) => id)]);
      return Object.fromEntries(rows.map(({ name, state }) => [name, state]));
    });
  },
});

/** The link of a row, which has the contact's name. */
export const rowLink = (page: Page, name: string) => page.getByRole("row").getByRole("link", { name, exact: true });

/** The notice that says what was done last. */
export const lastChange = (page: Page) => page.getByRole("group", { name: workWords.outcome.label });

export { expect } from "./accounts.ts";
