import { inboxWords, workWords } from "#content/inbox";
import { lastChange } from "./support/contacts.ts";
import { expect, rows, test } from "./support/inbox.ts";

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("the open row is marked, for screen readers and with forced colours", async ({ page, storeContacts }) => {
  const [first = ""] = await storeContacts(2);
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto(`/admin/contacts?search=${first}`);
  const row = rows(page).first();
  const link = row.getByRole("link").first();
  const outline = () => row.evaluate((element) => getComputedStyle(element).outlineStyle);
  await expect(link).not.toHaveAttribute("aria-current");
  expect(await outline()).toBe("none");
  await link.click();
  await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
  await expect(link).toHaveAttribute("aria-current", "true");
  expect(await outline()).not.toBe("none");
});

test("the box of all rows tells that some are selected", async ({ page, storeContacts }) => {
  await storeContacts(3, { name: "Some Wren" });
  await page.goto("/admin/contacts?search=Some+Wren");
  const all = page.getByLabel(workWords.selection.whole);
  await expect(all).toBeChecked({ checked: false, indeterminate: false });
  await rows(page).first().getByRole("checkbox").check();
  await expect(all).toBeChecked({ indeterminate: true });
  await all.click();
  await expect(all).toBeChecked();
  await expect(rows(page).getByRole("checkbox", { checked: true })).toHaveCount(3);
});

test("the time and the initials in a row show their titles, and open the contact too", async ({
  page,
  storeContacts,
  addMember,
  setAdmin,
  database,
}) => {
  const [first = ""] = await storeContacts(1);
  const other = `other-${first}`;
  await addMember(other);
  await setAdmin(other, true);
  const give = "update contacts set handled_by = (select id from auth.users where email = $2) where email = $1";
  await database.query(give, [first, other]);
  await page.goto(`/admin/contacts?search=${first}`);
  const row = rows(page).first();
  for (const titled of [row.locator("time[title]"), row.getByTitle(other)]) {
    await titled.click();
    await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(row.getByRole("link").first()).toBeFocused();
  }
});

test("Back from a contact past which more was read keeps the list", async ({ page, storeContacts }) => {
  const emails = await storeContacts(150, { name: "Back Wren" });
  await page.goto("/admin/contacts?search=Back+Wren");
  const older = page.getByRole("button", { name: inboxWords.older, exact: true });
  await expect(rows(page)).toHaveCount(50);
  await older.click();
  await expect(rows(page)).toHaveCount(100);
  await rows(page).nth(60).getByRole("link").first().click();
  await expect(page.getByRole("heading", { level: 2 })).toBeFocused();
  await older.click();
  await expect(rows(page)).toHaveCount(150);
  await page.goBack();
  await expect(page.getByRole("region", { name: workWords.panel.label })).toHaveCount(0);
  await expect(rows(page)).toHaveCount(150);
  await expect(rows(page).first()).toContainText(emails[0] ?? "");
});

test("a name from right to left leaves the order of a notice as it is", async ({ page, storeContacts }) => {
  const [first = ""] = await storeContacts(1, { name: "نورا" });
  await page.goto(`/admin/contacts?search=${first}`);
  await rows(page).first().getByRole("link").first().focus();
  await page.keyboard.press("a");
  // Without isolation the number in the name and the full stop change their places.
  await expect(lastChange(page)).toContainText("Archived: \u2068نورا 0\u2069.");
});

test.describe("at 400 % zoom", () => {
  test.use({ viewport: { width: 320, height: 256 } });

  test("an open contact can be read", async ({ page, storeContacts }) => {
    const [first = ""] = await storeContacts(1);
    await page.goto(`/admin/contacts?search=${first}`);
    await rows(page).first().getByRole("link").first().click();
    await page.getByLabel(workWords.note.label).scrollIntoViewIfNeeded();
    // At each height of the window: whether what is there moves when the page is scrolled.
    const readable = await page.evaluate(() => {
      const isStuck = (element: Element | null): boolean =>
        element !== null && (/sticky|fixed/.test(getComputedStyle(element).position) || isStuck(element.parentElement));
      const heights = Array.from({ length: 64 }, (_, index) => 4 * index + 2);
      return heights.filter((y) => !isStuck(document.elementFromPoint(160, y))).length / heights.length;
    });
    expect(readable).toBeGreaterThan(0.7);
  });
});
