import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/accounts.ts";
import { expectConsoleError } from "./support/fixtures.ts";

/** What the list shows depends on answers that are hard to get from a sound server; here they are made. */
const contactsCall = /\/rest\/v1\/contacts\?/;

const listOfOne = {
  json: [
    {
      id: "1",
      name: "Bea Wren",
      company: "Wren & Sons of a Rather Long Name, Limited",
      email: "bea.wren@a-rather-long-domain.example.com",
      interest: "consulting",
      submitted_at: "2025-11-20T23:51:07.123456+00:00",
    },
  ],
  headers: { "content-range": "0-0/1" },
};

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("while it loads it says so", async ({ page }) => {
  await page.route(contactsCall, () => {});
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.loading)).toBeVisible();
});

test("a reading that fails says why, and can be tried again", async ({ page }) => {
  expectConsoleError("Failed to load resource");
  for (const [what, answer, message] of [
    ["refused", { status: 403, json: { code: "42501", message: "permission denied" } }, inboxMessages.refused],
    ["failed with words", { status: 400, json: { code: "P0001", message: "Not today." } }, "Not today."],
    ["failed without words", { status: 500, json: {} }, inboxMessages.notLoaded],
    ["answered by a proxy", { status: 502, body: "<html>Bad Gateway</html>" }, inboxMessages.notLoaded],
  ] as const) {
    await test.step(what, async () => {
      await page.route(contactsCall, (route) => route.fulfill(answer));
      await page.goto("/admin/contacts");
      await expect(page.getByRole("alert")).toHaveText(message);

      await page.route(contactsCall, (route) => route.fulfill(listOfOne));
      await page.getByRole("button", { name: inboxWords.tryAgain }).click();
      await expect(page.getByRole("row", { name: "bea.wren@" })).toBeVisible();
    });
  }
});

test("no contacts at all are a state of their own", async ({ page }) => {
  await page.route(contactsCall, (route) => route.fulfill({ json: [], headers: { "content-range": "*/0" } }));
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.empty)).toBeVisible();
});

test("the list has nothing for an auditor to find, and does not scroll sideways", async ({ page }) => {
  await page.route(contactsCall, (route) => route.fulfill(listOfOne));
  await page.goto("/admin/contacts");
  await expect(page.getByRole("row", { name: "bea.wren@" })).toBeVisible();
  for (const width of [1440, 360]) {
    await expectNoAccessibilityProblems(page, { widths: [width] });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  }
});
