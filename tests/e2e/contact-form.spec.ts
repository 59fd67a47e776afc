import type { Page, Route } from "@playwright/test";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { preparedMail } from "#content/prepared-mail";
import { expect, expectConsoleError, hold, openContactForm, test } from "./support/fixtures.ts";

const inserts = "**/rest/v1/contacts";

/** Its words are for programs. */
const databaseError = { code: "PGRST001", message: "Database client error. Retrying the connection." };

test.beforeEach(async ({ page }) => {
  await page.goto("/");
  await openContactForm(page);
});

test("a visitor sends a contact with the keyboard alone", async ({ page, draft, storedFrom }) => {
  const { released, release } = hold();
  await page.route(inserts, async (route) => {
    await released;
    await route.continue();
  });
  const sent = page.waitForRequest(inserts);
  await page.getByLabel(contactWords.name, { exact: true }).focus();
  for (const text of [draft.name, draft.company, draft.email]) {
    await page.keyboard.type(text);
    await page.keyboard.press("Tab");
  }
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

test("a contact's name is stored trimmed, cut to 120 characters, without < > and quotes", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  await fillIn({ ...draft, name: `  <b>"Ada"</b> ${"x".repeat(130)} `, email: draft.email.toUpperCase() });
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();

  const [contact] = await storedFrom(draft.email);
  expect(contact?.name).toBe(`bAda/b ${"x".repeat(113)}`);
});

test("the contact form reports and focuses a missing field and sends no request", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  let requests = 0;
  page.on("request", (request) => request.url().includes("/rest/v1/") && requests++);
  const send = page.getByRole("button", { name: contactWords.send });
  await send.click();
  await expect(page.locator("input:invalid").first()).toBeFocused();

  await fillIn({ ...draft, interest: undefined });
  await send.click();
  await expect(page.getByText(contactMessages.noInterest)).toBeVisible();
  await expect(page.getByLabel(contactWords.email)).toHaveValue(draft.email);
  await expect(page.getByRole("radio").first()).toBeFocused();

  await fillIn({ ...draft, name: ` <"'> ` });
  await send.click();
  await expect(page.getByText(contactMessages.noName)).toBeVisible();
  await expect(page.getByLabel(contactWords.name, { exact: true })).toBeFocused();
  expect(requests).toBe(0);
  expect(await storedFrom(draft.email)).toEqual([]);
});

test("the contact form refuses a second contact within 30 seconds, even after a reload", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  const send = page.getByRole("button", { name: contactWords.send });
  await fillIn(draft);
  await send.click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await page.reload();

  const second = { ...draft, email: `second-${draft.email}` };
  await fillIn(second);
  await send.click();
  await expect(page.getByText(contactMessages.tooFast)).toBeVisible();
  await expect(page.getByRole("timer")).toHaveText(/in \d+ seconds?\./);
  await expect(page.getByLabel(contactWords.email)).toHaveValue(second.email);
  expect(await storedFrom(second.email)).toEqual([]);

  await page.clock.install({ time: Date.now() + 31_000 });
  await expect(page.getByRole("timer")).toHaveText(contactWords.wait(0));
  await send.click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(await storedFrom(second.email)).toHaveLength(1);
});

for (const viewport of [
  { width: 360, height: 400 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
]) {
  test(`the answer is above the button and wholly in a window of ${viewport.width} px, and the button stays in place`, async ({
    page,
    draft,
    fillIn,
  }) => {
    expectConsoleError("Failed to load resource");
    await page.setViewportSize(viewport);
    const send = page.getByRole("button", { name: contactWords.send, exact: true });
    const answered = async (message: string, answer?: Parameters<Route["fulfill"]>[0]) => {
      await page.route(inserts, (route) => (answer ? route.fulfill(answer) : route.abort()));
      await send.evaluate((button) => button.scrollIntoView({ block: "end", behavior: "instant" }));
      const before = await send.boundingBox();
      await send.click();
      await expect(page.getByText(message)).toBeInViewport({ ratio: 1 });
      await expect(send).toBeEnabled();
      const [header, notice, after] = await Promise.all(
        [page.getByRole("banner"), page.getByText(message), send].map((part) => part.boundingBox()),
      );
      expect(notice?.y).toBeGreaterThanOrEqual((header?.y ?? 0) + (header?.height ?? 0));
      expect((notice?.y ?? 0) + (notice?.height ?? 0)).toBeLessThan(after?.y ?? 0);
      return Math.abs((after?.y ?? 0) - (before?.y ?? 0));
    };

    const tooFast = { status: 429, json: { code: "PT429", message: contactMessages.tooFast } };
    await fillIn({ ...draft, interest: undefined });
    const movedForFocus = await answered(contactMessages.noInterest);
    await expect(page.getByRole("radio").first()).toBeInViewport({ ratio: 1 });
    await fillIn(draft);
    expect(await answered(contactMessages.tooFast, tooFast)).toBeLessThan(1);
    await expect(page.getByRole("timer")).toBeInViewport({ ratio: 1 });
    await expect(send).toHaveAccessibleDescription(/\d seconds/);
    const movedForMail = await answered(contactMessages.notSent);
    // Neither the choices nor the offer of a mail fit into the lowest window together with the button.
    if (viewport.height > 400) expect(Math.max(movedForFocus, movedForMail)).toBeLessThan(1);
    expect(await answered(contactMessages.sent, { status: 201 })).toBeLessThan(1);
  });
}

/** Sends the form and expects the sentence that the database answers. */
async function expectDatabaseRefusal(page: Page) {
  const refused = page.waitForResponse(inserts);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText((await (await refused).json()).message)).toBeVisible();
}

test("without local storage, the database refuses a second contact within 30 seconds", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  expectConsoleError("429");
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await page.evaluate(() => window.localStorage.clear());

  await fillIn({ ...draft, name: "Ada Egret" });
  await expectDatabaseRefusal(page);
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("a visitor sends a contact although the client library cannot be loaded", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  expectConsoleError("Failed to load resource");
  await page.route("**/_astro/*.js", (route) => route.abort());
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(await storedFrom(draft.email)).toHaveLength(1);

  await page.evaluate(() => window.localStorage.clear());
  expectConsoleError("429");
  await fillIn({ ...draft, name: "Ada Egret" });
  await expectDatabaseRefusal(page);
});

test("if sending a contact fails, the form shows the reason, stays filled and offers a prepared mail", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  expectConsoleError("Failed to load resource");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 360, height: 740 });
  const name = `Zoë "Ö" O'Heron & Söhne 50%?`;
  await fillIn({ ...draft, name });
  const send = page.getByRole("button", { name: contactWords.send });
  const mail = page.getByRole("link", { name: preparedMail.open });
  for (const [title, answer, message, offersMail] of [
    ["a refusal", { status: 400, json: { code: "P0001", message: "Not today." } }, "Not today.", false],
    ["an error without a message", { status: 500, json: {} }, contactMessages.notSaved, true],
    ["a request without an answer", undefined, contactMessages.notSent, true],
    ["an empty answer", { status: 500, body: "" }, contactMessages.notSaved, true],
    ["another refusal", { status: 429, json: { code: "PT429", message: "Not now." } }, "Not now.", false],
    ["a database that is away", { status: 503, json: databaseError }, contactMessages.notSaved, true],
    ["a database that does not answer", { status: 504, json: databaseError }, contactMessages.notSaved, true],
    ["an error page of a proxy", { status: 502, body: "<html>Bad Gateway</html>" }, contactMessages.notSaved, true],
  ] as const) {
    await test.step(title, async () => {
      await page.route(inserts, (route) => (answer ? route.fulfill(answer) : route.abort()));
      // Move the button to the bottom of the window: the message below is then visible only if the form scrolls to it.
      await send.evaluate((button) => button.scrollIntoView({ block: "end", behavior: "instant" }));
      await send.click();
      await expect(page.getByText(message)).toBeInViewport({ ratio: 1 });
      await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(name);
      await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();
      await expect(send).toBeEnabled();
      await (offersMail ? expect(mail).toBeInViewport({ ratio: 1 }) : expect(mail).toBeHidden());
    });
  }

  await page.getByLabel(contactWords.company).fill("Köhler");
  const { searchParams, pathname } = new URL((await mail.getAttribute("href")) ?? "");
  const text = preparedMail.lines({ ...draft, name, company: "Köhler", interest: `${draft.interest}` });
  expect([pathname, searchParams.get("body")]).toEqual([brand.email, text.join("\r\n")]);
  await send.focus();
  await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: preparedMail.copied })).toBeFocused();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text.join("\n"));

  await page.reload();
  await openContactForm(page);
  await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(name);
  await expect(page.getByLabel(contactWords.company)).toHaveValue("Köhler");
  await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();
  await send.click();
  await expect(mail).toBeVisible();
  await page.unroute(inserts);
  await send.click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await expect(mail).toBeHidden();
  expect(await storedFrom(draft.email)).toMatchObject([{ company: "Köhler" }]);
  await page.reload();
  await openContactForm(page);
  await expect(page.getByLabel(contactWords.company)).toHaveValue("");
  expect(await page.evaluate(() => window.sessionStorage.length)).toBe(0);
});
