import type { Page } from "@playwright/test";
import { inboxWords } from "#content/inbox";
import { privacyPolicy } from "#content/page-titles";
import { expectNoAccessibilityProblems, findSmallTargets } from "./support/accessibility.ts";
import { hold, labelOf } from "./support/fixtures.ts";
import { countCall, expect, listCall, rows, shownEmails, test } from "./support/inbox.ts";
import { findShifts, loadedTypefaces, watchShifts } from "./support/loading.ts";

const { find } = inboxWords;
const searchField = (page: Page) => page.getByRole("searchbox", { name: find.search });

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("a search follows the typing; reload, Back and a link keep it", async ({ page, context, storeContacts }) => {
  const herons = await storeContacts(3, { ahead: "-7 years", name: "Ardea Quillfeather" });
  await storeContacts(2, { ahead: "-7 years", name: "Ardea Plain" });
  // With the typefaces of an earlier page in the cache, hardly a word of the header moves.
  await page.goto(privacyPolicy.path);
  await expect.poll(() => loadedTypefaces(page)).toBe(2);
  await page.addInitScript(watchShifts);
  await page.goto("/admin/contacts");
  await expect(page.getByRole("table")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /\d/ })).toBeVisible();
  expect((await findShifts(page)).reduce((sum, { value }) => sum + value, 0)).toBeLessThan(0.001);
  await searchField(page).pressSequentially("quillf ARDEA");
  await expect(page.getByText(inboxWords.found(3))).toBeVisible();
  await expect.poll(() => shownEmails(page)).toEqual(herons);
  await expect(searchField(page)).toBeFocused();
  await expect(page).toHaveURL("/admin/contacts?search=quillf+ARDEA");

  await page.reload();
  await expect(rows(page)).toHaveCount(3);
  await expect(searchField(page)).toHaveValue("quillf ARDEA");
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(rows(other)).toHaveCount(3);
  await other.close();

  // A row's link has the contact's own address.
  await rows(page).first().getByRole("link", { name: "Ardea" }).click();
  await expect(page).toHaveURL(/search=quillf\+ARDEA&contact=[0-9a-f-]{36}$/);
  await page.goBack();
  await expect(page).toHaveURL(/ARDEA$/);
  // One step leads back over the whole search.
  await page.goBack();
  await expect(searchField(page)).toHaveValue("");
  await page.goForward();
  await expect(rows(page)).toHaveCount(3);

  await searchField(page).press("Escape");
  await expect(searchField(page)).toHaveValue("");
  await expect(page).toHaveURL("/admin/contacts");
});

test("filters narrow the list together, and each can be removed", async ({ page, storeContacts, database }) => {
  const emails = await storeContacts(6, { ahead: "-9 years", name: "Tringa" });
  const [first = "", second = "", third = "", , , last = ""] = emails;
  const move = (email: string, days: number) =>
    database.query("update contacts set submitted_at = submitted_at - $2 * interval '1 day' where email = $1", [
      email,
      days,
    ]);
  await move(last, 40);
  await database.query("update contacts set interest = 'consulting' where email = any($1)", [[first, second]]);
  await database.query("update contacts set state = 'archived' where email = $1", [second]);
  const day = (daysLater = 0) => localDay(-9, daysLater);
  const openFilters = (active = 0) => page.getByRole("button", { name: find.filter(active), exact: true }).click();

  await page.goto("/admin/contacts");
  await openFilters();
  await page.getByLabel(find.from, { exact: true }).fill(day(-60));
  await page.getByLabel(find.until, { exact: true }).fill(day(1));
  await expect(page.getByText(inboxWords.found(5))).toBeVisible();
  await expectNoAccessibilityProblems(page, { dark: true });
  await page.keyboard.press("Escape");
  await expect(page.getByLabel(find.from, { exact: true })).toBeHidden();
  await expect(page.getByRole("button", { name: find.filter(2), exact: true })).toBeFocused();

  await test.step("a list begins at the time in its address", async () => {
    await page.goto(`${page.url()}&at=${day(-20)}T00:00:00Z`);
    await expect(rows(page)).toHaveCount(1);
    await expect(rows(page)).toContainText(last);
    await page.getByRole("button", { name: inboxWords.newer, exact: true }).click();
    await expect(rows(page)).toHaveCount(5);
    await expect(rows(page).first()).toContainText(first);
    await expect(page.getByRole("button", { name: inboxWords.newer, exact: true })).toHaveCount(0);
    // After the oldest contact the list is empty, but not the inbox.
    await page.goto(`${page.url()}&at=${day(-70)}T00:00:00Z`);
    await expect(page.getByText(inboxWords.noneOlder)).toBeVisible();
    await page.goBack();
    await expect(rows(page)).toHaveCount(5);
  });

  await openFilters(2);
  await page.getByRole("combobox", { name: find.interest }).selectOption("consulting");
  await expect(rows(page)).toHaveCount(1);
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: inboxWords.states.archived, exact: true }).click();
  await expect(rows(page)).toContainText(second);
  await page.reload();
  await expect(rows(page)).toContainText(second);
  await openFilters(3);
  await expect(page.getByLabel(find.from, { exact: true })).toHaveValue(day(-60));
  await expect(page.getByRole("combobox", { name: find.interest })).toHaveValue("consulting");
  await page.keyboard.press("Escape");
  await page.goBack();
  await expect(rows(page)).toContainText(first);
  await page.getByRole("button", { name: find.remove(labelOf("consulting")) }).click();
  await expect(rows(page)).toHaveCount(5);
  await expect(page.getByRole("button", { name: find.filter(2), exact: true })).toBeFocused();

  await page.getByLabel(find.search).fill(last);
  await expect(rows(page)).toHaveCount(1);
  await page.getByRole("button", { name: find.clearSearch }).click();
  await expect(rows(page)).toHaveCount(5);
  await expect(page.getByLabel(find.search)).toBeFocused();
  await expect(page.getByRole("button", { name: find.clearSearch })).toBeHidden();

  await page.goto(`/admin/contacts?search=tringa&from=${day(-60)}&until=${day(-50)}`);
  await expect(page.getByText(inboxWords.nothing.title)).toBeVisible();
  await expect(page.getByText("“tringa”")).toBeVisible();
  await expectNoAccessibilityProblems(page);
  await page.getByRole("link", { name: find.clear }).click();
  await expect(page).toHaveURL("/admin/contacts");
  await expect(page.getByRole("button", { name: find.filter(0), exact: true })).toBeFocused();
  await expect(page.getByRole("table")).toBeVisible();

  // In a small inbox the search goes with its last word.
  await page.route(countCall, (route) => route.fulfill({ headers: { "content-range": "*/3" }, json: [] }));
  await page.goto(`/admin/contacts?search=${third}`);
  await page.getByLabel(find.search).press("Escape");
  await expect(page.getByLabel(find.search)).toHaveCount(0);
  await expect(page.getByRole("region", { name: inboxWords.title })).toBeFocused();
  await page.unroute(countCall);

  // On a phone the filters are at the lower edge. An address of the view "new" is a filter of the inbox.
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/admin/contacts?search=${third}&interest=co-development&state=new`);
  await expect(rows(page)).toHaveCount(1);
  await expect(page.getByRole("link", { name: inboxWords.states.inbox })).toHaveAttribute("aria-current", "page");
  await openFilters(2);
  await expect(page.getByRole("combobox", { name: find.state })).toHaveValue("new");
  expect(await findSmallTargets(page)).toEqual([]);
  await expectNoAccessibilityProblems(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("a late answer to an earlier search does not replace a later one", { tag: "@rare" }, async ({
  page,
  storeContacts,
}) => {
  const [early = ""] = await storeContacts(1, { ahead: "-7 years", name: "Limosa Early" });
  const [late = ""] = await storeContacts(1, { ahead: "-7 years", name: "Limosa Late" });
  const slow = hold();
  await page.route(listCall, async (route, request) => {
    if (request.url().includes("early")) await slow.released;
    await route.continue();
  });
  await page.goto("/admin/contacts");
  await expect(page.getByRole("table")).toBeVisible();
  const asked = page.waitForRequest(listCall);
  await searchField(page).fill("limosa early");
  await asked;
  await expect(page.getByRole("table", { name: "" }).and(page.locator("[aria-busy=true]"))).toBeVisible();
  await searchField(page).fill("limosa late");
  await expect(rows(page)).toHaveCount(1);
  const answered = page.waitForResponse(listCall);
  slow.release();
  await answered;
  await expect(rows(page)).toContainText(late);
  await expect(page.getByText(early)).toHaveCount(0);
});

function localDay(years: number, daysLater: number): string {
  const date = new Date();
  const day = new Date(date.getFullYear() + years, date.getMonth(), date.getDate() + daysLater);
  const part = (value: number) => String(value).padStart(2, "0");
  return `${day.getFullYear()}-${part(day.getMonth() + 1)}-${part(day.getDate())}`;
}
