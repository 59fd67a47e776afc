import AxeBuilder from "@axe-core/playwright";
import { inboxWords } from "#content/inbox";
import { inboxMessages } from "#content/messages";
import { inbox } from "#content/pages";
import { expect, test } from "./support/accounts.ts";
import { expectComplaint } from "./support/fixtures.ts";

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

test.beforeEach(({ admin, logIn }) => logIn(admin));

test("while it loads it says so, already in the HTML", async ({ page, request }) => {
  expect(await (await request.get("/admin/contacts")).text()).toContain(inboxMessages.loading);
  await page.route(contactsCall, () => {});
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.loading)).toBeVisible();
});

for (const [what, answer, message] of [
  ["refused", { status: 403, json: { code: "42501", message: "permission denied" } }, inboxMessages.refused],
  ["failed with words", { status: 400, json: { code: "P0001", message: "Not today." } }, "Not today."],
  ["failed without words", { status: 500, json: {} }, inboxMessages.notLoaded],
  ["answered by a proxy", { status: 502, body: "<html>Bad Gateway</html>" }, inboxMessages.notLoaded],
] as const) {
  test(`a reading that is ${what} shows “${message}”, and can be tried again`, async ({ page }) => {
    expectComplaint("Failed to load resource");
    await page.route(contactsCall, (route) => route.fulfill(answer));
    await page.goto("/admin/contacts");
    await expect(page.getByRole("alert")).toHaveText(message);

    await page.route(contactsCall, (route) => route.fulfill(listOfOne));
    await page.getByRole("button", { name: inboxWords.tryAgain }).click();
    await expect(page.getByRole("row", { name: "bea.wren@" })).toBeVisible();
  });
}

test("no contacts at all are a state of their own", async ({ page }) => {
  await page.route(contactsCall, (route) => route.fulfill({ json: [], headers: { "content-range": "*/0" } }));
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.empty)).toBeVisible();
});

for (const width of [360, 1440]) {
  test(`the list has nothing for an auditor to find, light and dark, ${width} px`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 });
    await page.route(contactsCall, (route) => route.fulfill(listOfOne));
    await page.goto("/admin/contacts");
    await expect(page.getByRole("row", { name: "bea.wren@" })).toBeVisible();
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}

test("the page has its title and one address, and search engines are asked to leave it out", async ({ request }) => {
  const html = await (await request.get("/admin/contacts")).text();
  expect(html).toContain(`<title>${inbox.title}</title>`);
  expect(html).toContain('<meta name="robots" content="noindex">');
  expect(html).toMatch(/<link rel="canonical" href="[^"]+\/admin\/contacts">/);
  const sitemap = await request.get("/sitemap.xml");
  expect(sitemap.status()).toBe(200);
  expect(await sitemap.text()).not.toMatch(/auth|admin/);
});
