import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { contactMessages, inboxMessages } from "#content/messages";
import { accountLink, accountMenuWords, inboxLink, logoutScope } from "#content/navigation";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expectConsoleError, labelOf, openContactForm } from "./support/fixtures.ts";
import { expect, rows, shownEmails, test } from "./support/inbox.ts";
import { expectGoodPage, findBrokenWords, withDoubleTextSize } from "./support/visual-checks.ts";

/** The tests of this file share one list, so they run one after the other. */
test.describe.configure({ mode: "default" });

test("an admin sees the contact that a visitor sent", async ({ page, browser, draft, admin, startSession }) => {
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

test("pages of 50 have each contact once, newest first", async ({ page, admin, startSession, storeContacts }) => {
  const emails = await storeContacts(330);
  await startSession(admin);
  await page.goto("/admin/contacts");
  await expect(rows(page)).toHaveCount(50);
  for (const index of [0, 1, 49]) await expect(rows(page).nth(index)).toContainText(emails[index] ?? "");

  const older = page.getByRole("button", { name: inboxWords.older, exact: true });
  const newer = page.getByRole("button", { name: inboxWords.newer, exact: true });
  for (let end = 100; end <= 300; end += 50) {
    await storeContacts(1, { ahead: "2 hours" });
    await older.focus();
    await page.keyboard.press("Enter");
    await expect(rows(page).last()).toContainText(emails[end - 1] ?? "");
  }
  // Five pages are kept: the first one is gone.
  expect(await shownEmails(page)).toEqual(emails.slice(50, 300));
  await newer.click();
  await expect(rows(page).first()).toContainText(emails[0] ?? "");
  expect(await shownEmails(page)).toEqual(emails.slice(0, 250));

  // The address notes where the page begins that was read last. A list begins with all contacts of its first time.
  await older.click();
  await expect(rows(page).last()).toContainText(emails[299] ?? "");
  await page.reload();
  await expect(rows(page).first()).toContainText(emails[249] ?? "");
  await newer.click();
  await expect(rows(page).first()).toContainText(emails[199] ?? "");
  await page.getByRole("button", { name: inboxWords.newest }).click();
  await expect(rows(page).nth(5)).toContainText(emails[0] ?? "");
  await expect(page).toHaveURL("/admin/contacts");
  await expect(rows(page).first().getByRole("link").first()).toBeFocused();
});

test("spam has its own view, with reasons", async ({ page, admin, startSession, storeContacts, database }) => {
  const [newest = "", byRule = "", byAdmin = ""] = await storeContacts(3);
  const reason = "More than 30 contacts within an hour came from the same internet address.";
  await database.query("update contacts set state = 'spam' where email = any($1)", [[byRule, byAdmin]]);
  await database.query("update contacts set spam_reason = $2, company = '' where email = $1", [byRule, reason]);
  const { rows: stored } = await database.query("select submitted_at from contacts where email = $1", [byRule]);
  await startSession(admin);
  await page.goto("/admin/contacts");
  await expect(rows(page).first()).toContainText(newest);
  await expect(page.getByRole("row", { name: byRule })).toHaveCount(0);

  await page.getByRole("link", { name: inboxWords.states.spam, exact: true }).click();
  const row = page.getByRole("row", { name: byRule });
  await expect(row).toContainText(reason);
  await expect(row.getByRole("cell").nth(2)).toHaveText(inboxWords.noCompany);
  await expect(row).toContainText(labelOf("co-development"));
  const local = await page.evaluate(
    (time) => new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" }).format(new Date(time)),
    stored[0].submitted_at.toISOString(),
  );
  await expect(row.getByRole("time")).toHaveAttribute("title", local);
  await expect(page.getByRole("row", { name: byAdmin })).toContainText(inboxWords.markedAsSpam);
  await expect(page.getByRole("row", { name: newest })).toHaveCount(0);
  await expectNoAccessibilityProblems(page);
  await page.goBack();
  await expect(rows(page).first()).toContainText(newest);
});

test("an open inbox tells of arrivals without moving the list, and sends nothing while hidden", async ({
  page,
  admin,
  startSession,
  storeContacts,
  database,
}) => {
  const word = `word${Date.now()}`;
  const [first = "", second = ""] = await storeContacts(5, { name: word });
  await page.clock.install();
  await startSession(admin);
  await page.goto(`/admin/contacts?search=${word}`);
  await expect(rows(page)).toHaveCount(5);
  await expect(page).toHaveTitle(/^\([\d,]+\) /);
  const place = () => page.getByRole("row", { name: first }).boundingBox();
  const before = await place();

  const [arrived = ""] = await storeContacts(1, { ahead: "2 hours", name: word });
  await page.clock.fastForward("00:11");
  const notice = page.getByRole("button", { name: inboxWords.arrived(1) });
  await expect(notice).toBeVisible();
  await database.query("update contacts set state = 'archived' where email = $1", [second]);
  await page.clock.fastForward("00:11");
  await expect(page.getByRole("row", { name: second })).toHaveCount(0);
  await expect(page.getByRole("row", { name: arrived })).toHaveCount(0);
  expect(await place()).toEqual(before);
  await expectNoAccessibilityProblems(page);
  await notice.click();
  await expect(rows(page).first()).toContainText(arrived);
  await expect(notice).toHaveCount(0);

  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await setVisibility(page, "hidden");
  await storeContacts(1, { ahead: "3 hours", name: word });
  for (let minute = 0; minute < 3; minute++) await page.clock.runFor("01:00");
  expect(requests).toEqual([]);
  await setVisibility(page, "visible");
  await expect(notice).toBeVisible();
});

test("contacts whose transaction ends late come to their place in an open inbox, or are announced", async ({
  page,
  admin,
  startSession,
  storeContacts,
  database,
}) => {
  const word = `word${Date.now()}`;
  await storeContacts(2, { ahead: "2 hours", name: word });
  await storeContacts(1, { ahead: "4 hours", name: "Newest" });
  await page.clock.install();
  await startSession(admin);
  const late = await database.connect();
  try {
    await late.query("begin");
    await late.query(
      `insert into contacts (name, email, interest, submitted_at)
       select $1 || ' late', $1 || '-' || hours || '@example.com', 'consulting', now() + hours * interval '1 hour'
       from unnest(array[1, 3]) hours`,
      [word],
    );
    await page.goto(`/admin/contacts?search=${word}`);
    await expect(rows(page)).toHaveCount(2);
    await expect(page).toHaveTitle(/^\([\d,]+\) /);
    await late.query("commit");
    await page.clock.fastForward("00:11");
    await expect(rows(page)).toHaveCount(3);
    await expect(rows(page).last()).toContainText(`${word} late`);
    await expect(page.getByRole("button", { name: inboxWords.arrived(1) })).toBeVisible();
    await late.query("delete from contacts where name = $1", [`${word} late`]);
  } finally {
    late.release(true);
  }
});

test("an account without the role sees no contacts", async ({ page, member, startSession, setAdmin }) => {
  let requests = 0;
  page.on("request", (request) => request.url().includes("/rest/v1/contacts") && requests++);
  await page.setViewportSize({ width: 360, height: 740 });
  await startSession(member);
  await page.goto("/admin/contacts");
  const alert = page.getByRole("alert");
  await expect(alert.getByText(inboxMessages.notAdmin, { exact: true })).toBeVisible();
  await expect(alert.getByText(inboxMessages.refused, { exact: true })).toBeVisible();
  await expect(page.getByText(member.email)).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: inboxLink.label })).toBeHidden();
  await expectGoodPage(page);
  expect(requests).toBe(0);
  await page.getByRole("banner").getByRole("link", { name: inboxWords.home.label, exact: true }).click();
  await expect(page).toHaveURL("/");

  await page.goBack();
  await expect(alert).toBeVisible();
  await setAdmin(member.email, true);
  await page.getByRole("button", { name: inboxWords.tryAgain }).click();
  await expect(page.getByText(inboxMessages.notAdmin)).toBeHidden();
  await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
  // A request of the open list may meet the loss of the role.
  expectConsoleError("403");
  await setAdmin(member.email, false);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(alert).toBeVisible();
  await expect(rows(page)).toHaveCount(0);
  await withDoubleTextSize(page, async () => {
    expect(await findBrokenWords(page.getByRole("banner"))).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  });
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page).toHaveURL("/auth");
});

test("after a logout, or the end of the session on the server, the inbox shows no contacts", async ({
  page,
  admin,
  startSession,
  sessionOf,
  openSessions,
  database,
}) => {
  expectConsoleError("Failed to load resource");
  await sessionOf(admin);
  await startSession(admin);
  await page.goto("/");
  await page.goto("/admin/contacts");
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page).toHaveURL("/auth");
  const stored = await page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)]);
  expect(stored.filter((key) => key.startsWith("sb-"))).toEqual([]);
  expect(await openSessions(admin.email)).toEqual([]);
  await page.goBack();
  await expect(page.getByRole("table")).toBeHidden();

  await startSession(admin);
  await database.query("delete from auth.sessions where user_id = (select id from auth.users where email = $1)", [
    admin.email,
  ]);
  await page.goto("/admin/contacts");
  await expect(page).toHaveURL("/auth");
});

test("by keyboard, the account's menu logs out on this device alone", async ({
  page,
  admin,
  startSession,
  sessionOf,
  openSessions,
}) => {
  await sessionOf(admin);
  await startSession(admin);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/admin/contacts");
  const header = page.getByRole("banner");
  const menu = header.getByRole("navigation", { name: accountLink.label });
  const here = menu.getByRole("button", { name: accountWords.logOutHere });
  const everywhere = header.getByRole("button", { name: inboxWords.logout });
  await expect(everywhere).toBeEnabled();
  await header.getByRole("button", { name: accountLink.label }).focus();
  await page.keyboard.press("Enter");
  await expect(here).toBeFocused();
  await expect(here).toHaveAccessibleDescription(`${accountMenuWords.logOutHere} ${accountMenuWords.logout}`);
  await expect(everywhere).toHaveAccessibleDescription(logoutScope);
  await expectNoAccessibilityProblems(page, { within: "body > header", dark: true });
  expect((await header.boundingBox())?.height).toBe(56);
  await page.keyboard.press("Escape");
  await expect(header.getByRole("button", { name: accountLink.label })).toBeFocused();
  await expect(menu).toBeHidden();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL("/auth");
  expect(await openSessions(admin.email)).toHaveLength(1);
});

function setVisibility(page: Page, state: DocumentVisibilityState) {
  return page.evaluate((visibilityState) => {
    Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}
