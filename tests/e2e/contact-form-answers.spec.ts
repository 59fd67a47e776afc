import type { Route } from "@playwright/test";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { preparedMail } from "#content/prepared-mail";
import { tooSoon } from "#validation/contact";
import { expect, expectConsoleError, openContactForm, test } from "./support/fixtures.ts";

const inserts = "**/rest/v1/contacts";

/** Its words are for programs. */
const databaseError = { code: "PGRST001", message: "Database client error. Retrying the connection." };

test.beforeEach(async ({ page }) => {
  // A request that follows at once could pass before Chromium begins to hold requests, so it begins here.
  await page.route(inserts, (route) => route.continue());
  await page.goto("/");
  await openContactForm(page);
});

for (const { tag, ...viewport } of [
  { width: 360, height: 400, tag: [] },
  { width: 1440, height: 900, tag: "@rare" },
]) {
  test(`in a window of ${viewport.width} px, the answer is visible, above a button that does not move`, {
    tag,
  }, async ({ page, draft, fillIn }) => {
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

    const slower = "Slower, please.";
    const tooFast = { status: 429, json: { code: "PT429", message: slower, details: tooSoon } };
    await fillIn({ ...draft, interest: undefined });
    const movedForFocus = await answered(contactMessages.noInterest);
    await expect(page.getByRole("radio").first()).toBeInViewport({ ratio: 1 });
    await fillIn(draft);
    expect(await answered(slower, tooFast)).toBeLessThan(1);
    await expect(page.getByRole("timer")).toBeInViewport({ ratio: 1 });
    await expect(send).toHaveAccessibleDescription(/\d/);
    const movedForMail = await answered(contactMessages.notSent);
    // Neither the choices nor the offer of a mail fit into the lowest window together with the button.
    if (viewport.height > 400) expect(Math.max(movedForFocus, movedForMail)).toBeLessThan(1);
    expect(await answered(contactMessages.sent, { status: 201 })).toBeLessThan(1);
  });
}

test("a failure shows its reason, keeps the text and offers a mail", async ({ page, draft, fillIn, storedFrom }) => {
  expectConsoleError("Failed to load resource");
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.setViewportSize({ width: 360, height: 740 });
  const name = `Zoë "Ö" O'Heron & Söhne 50%?`;
  await fillIn({ ...draft, name });
  const send = page.getByRole("button", { name: contactWords.send });
  const mail = page.getByRole("link", { name: preparedMail.open });
  for (const [title, answer, message, offersMail] of [
    ["a refusal", { status: 400, json: { code: "P0001", message: "Not today." } }, "Not today.", false],
    ["a request without an answer", undefined, contactMessages.notSent, true],
    ["an empty answer", { status: 500, body: "" }, contactMessages.notSaved, true],
    ["a database that is away", { status: 503, json: databaseError }, contactMessages.notSaved, true],
    [
      "the login page of a public network",
      { status: 200, body: "<html>Welcome</html>" },
      contactMessages.notSaved,
      true,
    ],
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
