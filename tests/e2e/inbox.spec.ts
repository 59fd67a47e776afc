import type { Page } from "@playwright/test";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { contactMessages, inboxMessages } from "#content/messages";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { test as base, expect } from "./support/accounts.ts";
import { expectConsoleError, labelOf, openContactForm } from "./support/fixtures.ts";

/** The tests of this file share one list, so they run one after the other. */
base.describe.configure({ mode: "default" });

interface Fixtures {
  /**
   * Stores contacts at the top of the list and returns their email addresses, newest first. The date of the newest
   * contact is in the future, by the time `ahead`. The contacts are removed after the test.
   */
  storeContacts: (count: number, ahead?: string) => Promise<string[]>;
}

const test = base.extend<Fixtures>({
  storeContacts: async ({ database }, use) => {
    const stored: string[] = [];
    await use(async (count, ahead = "1 hour") => {
      const { rows } = await database.query(
        // Each three contacts have the same time.
        `with stored as (
           insert into contacts (name, company, email, interest, submitted_at)
           select 'Bea Wren ' || number, case number when 0 then '' else 'Wren & Sons' end,
             'contact-' || number || '-' || gen_random_uuid() || '@example.com', 'co-development',
             now() + $2::interval - number / 3 * interval '1 second'
           from generate_series(0, $1::integer - 1) number
           returning id, email, submitted_at
         )
         select email from stored order by submitted_at desc, id`,
        [count, ahead],
      );
      const emails = rows.map(({ email }): string => email);
      stored.push(...emails);
      return emails;
    });
    await database.query("delete from contacts where email = any($1)", [stored]);
  },
});

const emailsOf = async (page: Page) =>
  (await rows(page).getByRole("link", { name: "@" }).allTextContents()).filter((text) => text.startsWith("contact-"));
const rows = (page: Page) => page.getByRole("row").filter({ has: page.getByRole("cell") });

test("an admin sees in the inbox the contact that a visitor sent", async ({
  page,
  browser,
  draft,
  admin,
  startSession,
}) => {
  // An address keeps its apostrophe, otherwise the answer would go to another person.
  const email = `o'brien-${draft.email}`;
  const visitor = await browser.newPage();
  await visitor.goto("/");
  await openContactForm(visitor);
  await visitor.getByLabel(contactWords.name, { exact: true }).fill(draft.name);
  await visitor.getByLabel(contactWords.company).fill(draft.company);
  await visitor.getByLabel(contactWords.email).fill(email);
  await visitor.getByRole("radio", { name: draft.interest }).check();
  await visitor.getByRole("button", { name: contactWords.send }).click();
  await expect(visitor.getByText(contactMessages.sent)).toBeVisible();
  await visitor.close();

  await startSession(admin);
  await page.goto("/admin/contacts");
  const row = page.getByRole("row", { name: email });
  await expect(row).toContainText(draft.name);
  await expect(row).toContainText(draft.company);
  await expect(row).toContainText(draft.interest ?? "");
  await expect(row.getByRole("link", { name: email })).toHaveAttribute("href", `mailto:${email}`);
});

test("an inbox row shows a dash for a missing company and the time in the local format", async ({
  page,
  admin,
  startSession,
  storeContacts,
  database,
}) => {
  const [email] = await storeContacts(1);
  const [{ submitted_at: sentAt }] = (
    await database.query("select submitted_at from contacts where email = $1", [email])
  ).rows;
  await startSession(admin);
  await page.goto("/admin/contacts");

  const row = page.getByRole("row", { name: email });
  await expect(row.getByRole("cell").nth(2)).toHaveText(inboxWords.noCompany);
  await expect(row).toContainText(labelOf("co-development"));
  const local = await page.evaluate(
    (time) => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time)),
    sentAt.toISOString(),
  );
  await expect(row.getByRole("time")).toHaveText(local);
});

test("the inbox lists the newest contacts first, 50 per page, and no contact twice while others arrive", async ({
  page,
  admin,
  startSession,
  storeContacts,
}) => {
  const emails = await storeContacts(330);
  await startSession(admin);
  await page.goto("/admin/contacts");
  await expect(rows(page)).toHaveCount(50);
  for (const index of [0, 1, 49]) await expect(rows(page).nth(index)).toContainText(emails[index] ?? "");

  const older = page.getByRole("button", { name: inboxWords.older, exact: true });
  const newer = page.getByRole("button", { name: inboxWords.newer, exact: true });
  for (let end = 100; end <= 300; end += 50) {
    await storeContacts(1, "2 hours");
    await older.focus();
    await page.keyboard.press("Enter");
    await expect(rows(page).last()).toContainText(emails[end - 1] ?? "");
  }
  // Five pages are kept: the first one is gone, and the address notes where the last one begins.
  expect(await emailsOf(page)).toEqual(emails.slice(50, 300));
  await expect(page).toHaveURL(/[?&]at=/);
  await newer.click();
  await expect(rows(page).first()).toContainText(emails[0] ?? "");
  expect(await emailsOf(page)).toEqual(emails.slice(0, 250));
});

test("spam has its own view, with the reason of each; the other views do not have it", async ({
  page,
  admin,
  startSession,
  storeContacts,
  database,
}) => {
  const [newest = "", byRule = "", byAdmin = ""] = await storeContacts(3);
  const reason = "More than 30 contacts within an hour came from the same internet address.";
  await database.query("update contacts set state = 'spam' where email = any($1)", [[byRule, byAdmin]]);
  await database.query("update contacts set spam_reason = $2 where email = $1", [byRule, reason]);
  await startSession(admin);
  await page.goto("/admin/contacts");
  await expect(rows(page).first()).toContainText(newest);
  await expect(page.getByRole("row", { name: byRule })).toHaveCount(0);

  await page.getByRole("link", { name: inboxWords.states.spam, exact: true }).click();
  await expect(page.getByRole("row", { name: byRule })).toContainText(reason);
  await expect(page.getByRole("row", { name: byAdmin })).toContainText(inboxWords.markedAsSpam);
  await expect(page.getByRole("row", { name: newest })).toHaveCount(0);
  await expectNoAccessibilityProblems(page, { widths: [1440] });
  await page.goBack();
  await expect(rows(page).first()).toContainText(newest);
});

test("an open inbox says that contacts have arrived, without moving the list; a press shows them", async ({
  page,
  admin,
  startSession,
  storeContacts,
}) => {
  const [first = ""] = await storeContacts(1);
  await page.clock.install();
  await startSession(admin);
  await page.goto("/admin/contacts");
  await expect(rows(page).first()).toContainText(first);

  const [second = ""] = await storeContacts(1, "2 hours");
  await page.clock.fastForward("00:11");
  await page.getByRole("button", { name: inboxWords.arrived(1) }).click();
  await expect(rows(page).first()).toContainText(second);
  await expect(page.getByRole("button", { name: inboxWords.arrived(1) })).toHaveCount(0);
});

test("the inbox redirects a visitor without a session to /auth", async ({ page }) => {
  await page.goto("/admin/contacts");
  await expect(page).toHaveURL("/auth");
});

test("the inbox shows no contacts to an account until the account gets the admin role", async ({
  page,
  member,
  startSession,
  setAdmin,
}) => {
  let requests = 0;
  page.on("request", (request) => request.url().includes("/rest/v1/contacts") && requests++);
  await startSession(member);
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.notAdmin)).toBeVisible();
  await expect(page.getByText(member.email)).toBeVisible();
  expect(requests).toBe(0);

  await setAdmin(member.email, true);
  await page.getByRole("button", { name: inboxWords.tryAgain }).click();
  await expect(page.getByText(inboxMessages.notAdmin)).toBeHidden();
  await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
});

test("an admin who loses the admin role sees no contacts after returning to the inbox tab", async ({
  page,
  admin,
  startSession,
  setAdmin,
  storeContacts,
}) => {
  expectConsoleError("403");
  const [email] = await storeContacts(1);
  await startSession(admin);
  await page.goto("/admin/contacts");
  await expect(page.getByRole("row", { name: email })).toBeVisible();

  await setAdmin(admin.email, false);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(page.getByText(inboxMessages.notAdmin)).toBeVisible();
  await expect(page.getByText(email ?? "")).toHaveCount(0);
});

test("the Home link of the inbox leads to the landing page", async ({ page, member, startSession }) => {
  await startSession(member);
  await page.goto("/admin/contacts");
  await page.getByRole("banner").getByRole("link", { name: inboxWords.home.label, exact: true }).click();
  await expect(page).toHaveURL("/");
});

test("a logout ends all sessions, removes the stored session and redirects all tabs to /auth", async ({
  page,
  context,
  admin,
  startSession,
  sessionOf,
  openSessions,
}) => {
  // Pending requests of the other tab are refused, and the browser logs that.
  expectConsoleError("Failed to load resource");
  await sessionOf(admin);
  await startSession(admin);
  const other = await context.newPage();
  await other.goto("/admin/contacts");
  await expect(other.getByRole("table").or(other.getByText(inboxMessages.empty))).toBeVisible();

  await page.goto("/");
  await page.goto("/admin/contacts");
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page).toHaveURL("/auth");
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(stored.filter((key) => key.startsWith("sb-"))).toEqual([]);
  expect(await openSessions(admin.email)).toEqual([]);
  await expect(other).toHaveURL("/auth");

  await page.goBack();
  await expect(page.getByRole("table")).toBeHidden();
});

test("the inbox redirects to /auth if the session has already ended on the server", async ({
  page,
  admin,
  startSession,
  database,
}) => {
  expectConsoleError("Failed to load resource");
  await startSession(admin);
  await database.query("delete from auth.sessions where user_id = (select id from auth.users where email = $1)", [
    admin.email,
  ]);
  await page.goto("/admin/contacts");
  await expect(page).toHaveURL("/auth");
});
