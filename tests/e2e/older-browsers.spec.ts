import type { Page } from "@playwright/test";
import { authMessages, contactMessages, inboxMessages } from "#content/messages";
import { pageProblems } from "#content/page-problems";
import { newerMethods } from "../support/newer-methods.ts";
import { expect, test } from "./support/accounts.ts";
import { submitLogin } from "./support/auth-forms.ts";
import { openContactForm } from "./support/fixtures.ts";

/** Without all of them, and without those of each object. */
const lacking = [newerMethods, ...Object.entries(newerMethods).map((owned) => Object.fromEntries([owned]))];

/** Takes these methods away before any script of a page runs, as in a browser that never had them. */
function takeAway(page: Page, methods: typeof newerMethods) {
  return page.addInitScript((lost) => {
    for (const [path, names] of Object.entries(lost)) {
      // biome-ignore lint/suspicious/noExplicitAny: the path of any object
      const owner = path.split(".").reduce((object: any, key) => object?.[key], globalThis);
      for (const name of names) delete owner?.[name];
    }
  }, methods);
}

for (const methods of lacking) {
  const isAll = methods === newerMethods;
  const name = isAll ? "all newer methods" : `newer methods of ${Object.keys(methods)}`;
  const tag = isAll ? [] : "@rare";

  test(`without ${name} the contact form sends`, { tag }, async ({ page, draft, fillIn, storedFrom }) => {
    await takeAway(page, methods);
    await page.goto("/");
    await openContactForm(page);
    await fillIn({ ...draft, name: `${draft.name} \ud800` });
    await page.locator("#contact [type=submit]").click();
    await expect(page.getByText(contactMessages.sent)).toBeVisible();
    expect(await storedFrom(draft.email)).toHaveLength(1);
  });

  test(`without ${name} a login works, or names the browsers that it needs`, { tag }, async ({ page, admin }) => {
    await takeAway(page, methods);
    await page.goto("/auth");
    const problem = page.getByText(pageProblems.unsupported);
    if (isAll || (await problem.isVisible())) {
      await page.goto("/admin/contacts");
      await expect(problem).toBeVisible();
      await expect(page.getByText(inboxMessages.loading)).toBeHidden();
      return;
    }
    await submitLogin(page, admin);
    await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
    await page.goto("/admin/contacts");
    await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
  });
}

test.describe("with other styles than the policy allows", () => {
  test.use({ bypassCSP: true });

  test("without :has() the focus can be seen on every choice", async ({ page }) => {
    await page.route("**/*", async (route, request) => {
      if (!["document", "stylesheet"].includes(request.resourceType())) return route.continue();
      const response = await route.fetch();
      await route.fulfill({ response, body: (await response.text()).replaceAll(":has(", ":lacks(") });
    });
    await page.goto("/");
    for (const [input, outlined] of [
      ["#contact [type=radio]", "#contact [type=radio]"],
      ["fieldset [type=checkbox]", "fieldset [type=checkbox] + *"],
    ] as const) {
      await page.locator(input).first().focus();
      await page.keyboard.press("Shift");
      await expect(page.locator(outlined).first()).toHaveCSS("outline-style", "solid");
    }
  });
});

test("while a script may still come, the header does not say that JavaScript is missing", async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  const client = await context.newCDPSession(page);
  await client.send("Animation.enable");
  await client.send("Animation.setPlaybackRate", { playbackRate: 0 });
  for (const path of ["/auth", "/account", "/admin/contacts"]) {
    await page.goto(path);
    await expect(page.getByRole("banner")).toBeVisible();
    await expect(page.getByText(pageProblems.unsupported)).toBeHidden();
  }
  await client.send("Animation.setPlaybackRate", { playbackRate: 100 });
  await expect(page.getByText(pageProblems.unsupported)).toBeVisible();
  await context.close();
});
