import { contactMessages } from "#content/messages";
import { expect, expectComplaint, test } from "./support/fixtures.ts";

const inserts = "**/rest/v1/contacts";

test.beforeEach(async ({ page }) => {
  await page.goto("/");
  await page.locator("#contact").scrollIntoViewIfNeeded();
});

test("a visitor sends a contact, is thanked, and it is in the database", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  const sent = page.waitForRequest(inserts);
  await fillIn(draft);
  await page.getByRole("button", { name: "Send" }).click();

  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toHaveValue("");
  await expect(page.getByLabel("Company")).toHaveValue("");
  await expect(page.getByLabel("Email")).toHaveValue("");
  await expect(page.getByRole("radio", { checked: true })).toHaveCount(0);

  const request = await sent;
  expect(request.method()).toBe("POST");
  expect(request.postDataJSON()).toEqual({ ...draft, interest: "partnerships" });
  expect(await storedFrom(draft.email)).toEqual([{ ...draft, interest: "partnerships" }]);
});

test("what is sent is cleaned: trimmed, without < > and quotes, cut, the address in lower case", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  await fillIn({ ...draft, name: `  <b>"Ada"</b> ${"x".repeat(130)} `, email: draft.email.toUpperCase() });
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();

  const [contact] = await storedFrom(draft.email);
  expect(contact?.name).toBe(`bAda/b ${"x".repeat(113)}`);
});

test("without an interest the specified words appear, and no bubble of the browser", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  await fillIn({ ...draft, interest: undefined });
  await page.getByRole("button", { name: "Send" }).click();

  await expect(page.getByText(contactMessages.noInterest)).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(draft.email);
  await expect(page.getByRole("radio").first()).toBeFocused();
  expect(await storedFrom(draft.email)).toEqual([]);
});

test("an empty field is the browser's to explain, and nothing is sent", async ({ page }) => {
  let requests = 0;
  page.on("request", (request) => request.url().includes("/rest/v1/") && requests++);
  await page.getByRole("radio").first().check();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.locator("input:invalid").first()).toBeFocused();
  expect(requests).toBe(0);
});

test("a name of nothing but signs that are removed is asked for again", async ({ page, draft, fillIn }) => {
  await fillIn({ ...draft, name: ` <"'> ` });
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.noName)).toBeVisible();
  await expect(page.getByLabel("Name", { exact: true })).toBeFocused();
});

test("a second contact within 30 seconds waits, also after a reload, and keeps what was typed", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  await fillIn(draft);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await page.reload();

  const second = { ...draft, email: `second-${draft.email}` };
  await fillIn(second);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.tooFast)).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(second.email);
  expect(await storedFrom(second.email)).toEqual([]);

  await page.clock.install({ time: Date.now() + 31_000 });
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(await storedFrom(second.email)).toHaveLength(1);
});

test("where the browser has no memory the database says to wait", async ({ page, draft, fillIn, storedFrom }) => {
  expectComplaint("429");
  await fillIn(draft);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await page.evaluate(() => window.localStorage.clear());

  await fillIn({ ...draft, name: "Ada Egret" });
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.tooFast)).toBeVisible();
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("while it sends, the button says so and is disabled", async ({ page, draft, fillIn }) => {
  let release = () => {};
  const held = new Promise<void>((done) => {
    release = done;
  });
  await page.route(inserts, async (route) => {
    await held;
    await route.continue();
  });
  await fillIn(draft);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("button", { name: "Sending..." })).toBeDisabled();
  release();
  await expect(page.getByRole("button", { name: "Send", exact: true })).toBeEnabled();
});

for (const [what, answer, message] of [
  ["a refusal with words", { status: 400, json: { code: "P0001", message: "Not today." } }, "Not today."],
  ["a refusal without words", { status: 500, json: {} }, contactMessages.notSaved],
  ["an empty answer", { status: 500, body: "" }, contactMessages.notSaved],
  ["a page of a proxy", { status: 502, body: "<html>Bad Gateway</html>" }, contactMessages.notSaved],
  ["no answer", undefined, contactMessages.notSent],
] as const) {
  test(`${what} is shown as “${message}” and the form stays filled`, async ({ page, draft, fillIn }) => {
    expectComplaint("Failed to load resource");
    await page.route(inserts, (route) => (answer ? route.fulfill(answer) : route.abort()));
    await fillIn(draft);
    await page.getByRole("button", { name: "Send" }).click();

    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(draft.name);
    await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();
    await expect(page.getByRole("button", { name: "Send" })).toBeEnabled();
  });
}

test("the whole form works with the keyboard alone", async ({ page, draft }) => {
  await page.getByLabel("Name", { exact: true }).focus();
  await page.keyboard.type(draft.name);
  await page.keyboard.press("Tab");
  await page.keyboard.type(draft.company);
  await page.keyboard.press("Tab");
  await page.keyboard.type(draft.email);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
});
