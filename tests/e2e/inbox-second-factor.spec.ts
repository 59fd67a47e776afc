import type { Page } from "@playwright/test";
import { inboxWords, workWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { totpCode } from "../support/totp.ts";
import { button, submitLogin } from "./support/auth-forms.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { codeField, expect, submitCode, test } from "./support/second-factor.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const table = (page: Page) =>
  page.getByRole("table").or(page.getByText(inboxMessages.empty)).or(page.getByText(inboxWords.done.title));

test("the inbox leads to the step and back, with a chosen app", async ({ page, admin, addApp, startSession }) => {
  const oldPhone = "Phone".repeat(12);
  // The stored session is older than its apps and does not know them.
  await startSession(admin);
  await addApp(admin, oldPhone);
  const secret = await addApp(admin, "New phone");
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/admin/contacts?state=spam");
  await expect(page).toHaveURL("/auth");
  await expect(page.getByRole("radio", { name: oldPhone })).toBeChecked();
  await expectGoodPage(page);
  await page.getByRole("radio", { name: oldPhone }).focus();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("radio", { name: "New phone" })).toBeChecked();
  await submitCode(page, totpCode(secret));
  await expect(page).toHaveURL("/admin/contacts?state=spam");
  await expect(page.getByRole("searchbox")).toBeVisible();
});

test("an open inbox asks again and keeps the note", async ({ page, admin, addApp, database, storePeople }) => {
  // A request of the inbox may meet the lowered session before the note does.
  expectConsoleError("403");
  const secret = await addApp(admin);
  const { people } = await storePeople(["Ada Finch"]);
  await page.goto("/auth");
  await submitLogin(page, admin);
  await submitCode(page, totpCode(secret));
  await expect(page).toHaveURL("/");
  const contact = `/admin/contacts?contact=${people[0]?.id}`;
  await page.goto(contact);
  const note = page.getByLabel(workWords.note.label, { exact: true });
  await note.fill("Call back on Monday");
  await expect(page.getByText(workWords.note.unsaved)).toBeVisible();
  // Without news, only the note that finds no row can notice the loss.
  await page.route("**/rest/v1/rpc/inbox_news", () => {});

  // What the end of another app of the account does to its sessions.
  const lower = "update auth.sessions set aal = 'aal1' where user_id = (select id from auth.users where email = $1)";
  await database.query(lower, [admin.email]);
  await button(page, workWords.note.save).click();
  await codeField(page).waitFor();
  await page.unroute("**/rest/v1/rpc/inbox_news");
  await submitCode(page, totpCode(secret, 1));
  await expect(page).toHaveURL(contact);
  await expect(note).toHaveValue("Call back on Monday");
});

test("an admin without the required factor is led to it, and reads no empty list", { tag: "@rare" }, async ({
  page,
  admin,
  startSession,
}) => {
  let step = "set_up";
  const asked = Promise.withResolvers<void>();
  await page.route("**/rest/v1/rpc/second_factor_step", (route) => {
    asked.resolve();
    return route.fulfill({ json: step });
  });
  // The role is answered only when the second factor has been asked for: one round trip for both.
  await page.route("**/rest/v1/rpc/has_role", async (route) => {
    await asked.promise;
    await route.continue();
  });
  await startSession(admin);
  await page.goto("/admin/contacts");
  await expect(page.getByRole("alert")).toHaveText(inboxWords.setUp.title);
  await expect(page.getByText(inboxMessages.empty)).toHaveCount(0);
  await expectGoodPage(page);
  await expect(page.getByRole("link", { name: inboxWords.setUp.link.label })).toHaveAttribute(
    "href",
    inboxWords.setUp.link.href,
  );

  // It was set up in another tab.
  step = "none";
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await expect(table(page)).toBeVisible();

  // The role was checked a moment ago and is not checked before this empty list, but after it.
  step = "set_up";
  await page.getByRole("searchbox").fill("nobody-has-this-name");
  await expect(page.getByRole("alert")).toHaveText(inboxWords.setUp.title);
  await expect(page.getByText(inboxWords.nothing.title)).toHaveCount(0);
});
