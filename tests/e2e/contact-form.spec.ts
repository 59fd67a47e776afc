import type { Page } from "@playwright/test";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { expect, expectConsoleError, holdRequests, openContactForm, test } from "./support/fixtures.ts";

const inserts = "**/rest/v1/contacts";

test.beforeEach(async ({ page }) => {
  await page.goto("/");
  await openContactForm(page);
});

test("by keyboard, a visitor is led to what is missing, then sends a contact", async ({ page, draft, storedFrom }) => {
  // At the start: a request that follows at once can pass before Chromium holds requests.
  const release = await holdRequests(page, inserts);
  let requests = 0;
  page.on("request", (request) => request.url().includes("/rest/v1/") && requests++);
  const name = page.getByLabel(contactWords.name, { exact: true });
  await name.focus();
  await page.keyboard.press("Enter");
  await expect(page.locator("input:invalid").first()).toBeFocused();
  await name.pressSequentially(` <"'> `);
  for (const text of [draft.company, draft.email]) {
    await page.keyboard.press("Tab");
    await page.keyboard.type(text);
  }
  await page.keyboard.press("Enter");
  await expect(page.getByText(contactMessages.noName)).toBeVisible();
  await expect(name).toBeFocused();
  await name.fill(draft.name);
  await page.keyboard.press("Enter");
  await expect(page.getByText(contactMessages.noInterest)).toBeVisible();
  await expect(page.getByRole("radio").first()).toBeFocused();
  await expect(page.getByLabel(contactWords.email)).toHaveValue(draft.email);
  expect(requests).toBe(0);

  const sent = page.waitForRequest(inserts);
  await page.keyboard.press("Space");
  for (const _ of contactWords.interests.slice(1)) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: contactWords.sending })).toBeDisabled();

  release();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await expect(page.getByRole("button", { name: contactWords.send, exact: true })).toBeEnabled();
  for (const label of [contactWords.name, contactWords.company, contactWords.email])
    await expect(page.getByLabel(label, { exact: true })).toHaveValue("");
  await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);

  const stored = { ...draft, interest: contactWords.interests.at(-1)?.value };
  const request = await sent;
  expect(request.method()).toBe("POST");
  expect(request.postDataJSON()).toEqual(stored);
  expect(await storedFrom(draft.email)).toEqual([stored]);
});

test("within 30 seconds the form, then the database refuses another", async ({ page, draft, fillIn, storedFrom }) => {
  expectConsoleError("429");
  const send = page.getByRole("button", { name: contactWords.send });
  await fillIn(draft);
  await send.click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await page.reload();

  const second = { ...draft, email: `second-${draft.email}` };
  await fillIn(second);
  await send.click();
  await expect(page.getByText(contactMessages.tooFast)).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/\d/);
  await expect(page.getByLabel(contactWords.email)).toHaveValue(second.email);
  expect(await storedFrom(second.email)).toEqual([]);

  await page.evaluate(() => window.localStorage.clear());
  await fillIn({ ...draft, name: "Ada Egret" });
  await expectDatabaseRefusal(page);
  expect(await storedFrom(draft.email)).toHaveLength(1);

  await fillIn(second);
  await page.clock.install({ time: Date.now() + 31_000 });
  await expect(page.getByRole("timer")).toHaveText(contactWords.wait(0));
  await send.click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(await storedFrom(second.email)).toHaveLength(1);
});

test("sending loads no script, and makes one request with exactly the four fields", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  const requests: string[] = [];
  page.on("request", (request) => {
    if (["script", "fetch", "xhr"].includes(request.resourceType()))
      requests.push(`${request.method()} ${new URL(request.url()).pathname} ${request.postData()}`);
  });
  await fillIn({ ...draft, name: "  Ada <Heron>  " });
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  const { name, company, email } = draft;
  const body = JSON.stringify({ name, company, email, interest: "partnerships" });
  expect(requests).toEqual([`POST /rest/v1/contacts ${body}`]);
  expect(await storedFrom(draft.email)).toEqual([{ ...draft, interest: "partnerships" }]);

  expectConsoleError("Failed to load resource");
  await page.evaluate(() => window.localStorage.clear());
  await fillIn({ ...draft, name: "Ada Egret" });
  await expectDatabaseRefusal(page);
});

/** Sends the form and expects the sentence that the database answers. */
async function expectDatabaseRefusal(page: Page) {
  const refused = page.waitForResponse(inserts);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText((await (await refused).json()).message)).toBeVisible();
}
