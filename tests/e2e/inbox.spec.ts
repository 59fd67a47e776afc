import type { Page } from "@playwright/test";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { contactMessages, inboxMessages } from "#content/messages";
import { inboxLink } from "#content/navigation";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expectConsoleError, labelOf, openContactForm } from "./support/fixtures.ts";
import { expect, rows, shownEmails, test } from "./support/inbox.ts";
import { findTextProblems, findWordProblems, smallTargets } from "./support/visual-checks.ts";

/** The tests of this file share one list, so they run one after the other. */
test.describe.configure({ mode: "default" });

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

test("an open inbox tells of arrivals without moving the list, shows the changes of others, and rests while hidden", async ({
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
  await expectNoAccessibilityProblems(page, { widths: [1440], within: "main" });
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

test("a person without the role reads both sentences in the inbox and can log out there", async ({
  page,
  member,
  startSession,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await startSession(member);
  await page.goto("/admin/contacts");
  const alert = page.getByRole("alert");
  await expect(alert.getByText(inboxMessages.notAdmin, { exact: true })).toBeVisible();
  await expect(alert.getByText(inboxMessages.refused, { exact: true })).toBeVisible();
  await expect(page.getByRole("banner").getByRole("link", { name: inboxLink.label })).toBeHidden();
  await expectNoAccessibilityProblems(page, { widths: [360] });
  expect(await findTextProblems(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page).toHaveURL("/auth");
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

function setVisibility(page: Page, state: DocumentVisibilityState) {
  return page.evaluate((visibilityState) => {
    Object.defineProperty(document, "visibilityState", { value: visibilityState, configurable: true });
    document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
  }, state);
}

test("with text at 200 % the header keeps its words whole and the page does not scroll sideways", async ({
  page,
  member,
  startSession,
}) => {
  await startSession(member);
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.notAdmin)).toBeVisible();
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 740 });
    expect(await findWordProblems(page.getByRole("banner")), `${width} px`).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0);
  }
});
