import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { authWords, linkWords } from "#content/auth";
import { inboxWords, workWords } from "#content/inbox";
import { correctionWords } from "#content/inbox-on-demand";
import { authMessages, inboxMessages } from "#content/messages";
import { pageProblems } from "#content/page-problems";
import { expect } from "./support/accounts.ts";
import { button, submitLogin } from "./support/auth-forms.ts";
import { test } from "./support/contacts.ts";
import { expectConsoleError, holdRequests } from "./support/fixtures.ts";

const reload = (page: Page) => page.getByRole("banner").getByRole("button", { name: pageProblems.reload });

/** Loses every request for these scripts until the returned function is called, as when a deploy has removed them. */
async function lose(page: Page, scripts: RegExp) {
  expectConsoleError("Failed to load resource");
  expectConsoleError("Failed to fetch dynamically imported module");
  await page.route(scripts, (route) => route.abort());
  return () => page.unroute(scripts);
}

for (const [script, path, found] of [
  [/auth-screen/, "/auth", authWords.login.title],
  [/\/client\./, "/account", accountWords.title],
  [/contacts-inbox/, "/admin/contacts", inboxWords.title],
] as const)
  test(`${path} without its scripts says so, and loads again`, async ({ page, admin, startSession }) => {
    if (path !== "/auth") await startSession(admin);
    const find = await lose(page, script);
    await page.goto(path);
    await expect(page.getByText(pageProblems.notLoaded)).toBeVisible();
    await expect(page.getByText(inboxMessages.loading)).toBeHidden();
    await find();
    await reload(page).click();
    await expect(page.getByRole("heading", { name: found, level: 1 })).toBeVisible();
    await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
    await expect(page.getByText(pageProblems.notLoaded)).toBeHidden();
  });

test("Enter after the scripts were lost promises no login", async ({ page, member }) => {
  await lose(page, /auth-screen/);
  await page.goto("/auth");
  await expect(page.getByText(pageProblems.notLoaded)).toBeVisible();
  await page.getByLabel(authWords.email).fill(member.email);
  await page.getByLabel(authWords.password).fill(member.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText(pageProblems.notLoaded)).toBeVisible();
  await expect(page.getByText(pageProblems.waiting)).toBeHidden();
});

test("a login without the library says so, and works after a reload", async ({ page, member }) => {
  const find = await lose(page, /backend-client/);
  await page.goto("/auth");
  await submitLogin(page, member);
  await expect(page.getByText(authMessages.notLoggedIn)).toBeVisible();
  await find();
  await reload(page).click();
  await submitLogin(page, member);
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
});

for (const [says, isIslandLost] of [
  ["no longer says that the library is missing", false],
  ["still says that another script is missing", true],
] as const)
  test(`once the library has come after all, the header ${says}`, async ({
    page,
    admin,
    startSession,
    storePeople,
  }) => {
    await storePeople(["Heron"]);
    await startSession(admin);
    const find = await lose(page, /backend-client/);
    await page.goto("/admin/contacts");
    await expect(page.getByText(pageProblems.notLoaded)).toBeVisible();
    // Astro says this of an island whose script has not come. Only a reload brings it.
    if (isIslandLost) await page.evaluate(() => window.dispatchEvent(new Event("astro:hydration-error")));
    await find();
    await page.getByRole("button", { name: inboxWords.tryAgain }).click();
    await expect(page.getByRole("table")).toBeVisible();
    await expect(page.getByText(pageProblems.notLoaded)).toBeVisible({ visible: isIslandLost });
  });

test("a mailed link outlives lost scripts", async ({ page }) => {
  const find = await lose(page, /auth-screen/);
  await page.goto("/auth#token_hash=abc&type=recovery");
  await expect(page.getByText(pageProblems.notLoaded)).toBeVisible();
  await expect(page).toHaveURL("/auth");
  await find();
  await reload(page).click();
  await expect(page.getByRole("heading", { name: linkWords.recovery.title })).toBeVisible();
});

test("a part of the inbox that is lost once is loaded again; if it stays lost, it says so and closes", async ({
  page,
  admin,
  startSession,
  draft,
  database,
}) => {
  await database.query("insert into contacts (name, company, email, interest) values ($1, 'Heron', $2, 'consulting')", [
    draft.name,
    draft.email,
  ]);
  await startSession(admin);
  const find = await lose(page, /on-demand/);
  await page.goto(`/admin/contacts?search=${draft.email}`);
  await page.getByRole("link", { name: draft.name }).click();
  const open = async () => {
    await button(page, workWords.panel.more).click();
    await button(page, workWords.correction.open).click();
  };
  await open();
  await expect(page.getByText(pageProblems.notLoaded)).toBeInViewport({ ratio: 1 });
  await expect(page.getByText(draft.email).last()).toBeVisible();
  await open();
  await find();
  await reload(page).click();
  await page.route(/on-demand/, (route) => route.abort(), { times: 2 });
  await open();
  await expect(button(page, correctionWords.save)).toBeVisible();
});

test("where the browser refuses storage, the login says why it cannot log in", async ({ page }) => {
  await page.addInitScript(() => {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("refused", "SecurityError");
      },
    });
  });
  await page.goto("/auth");
  await expect(page.getByText(pageProblems.notStored)).toBeVisible();
  await expect(button(page, authWords.login.submit)).toBeDisabled();
});

test("where the browser silently drops what is stored, the login says why it cannot log in", async ({ page }) => {
  await page.addInitScript(() => {
    Storage.prototype.setItem = () => {};
  });
  for (const path of ["/auth", "/admin/contacts"]) {
    await page.goto(path);
    await expect(page.getByText(pageProblems.notStored)).toBeVisible();
  }
});

test("where the storage is full, the login says so, before it and after it", async ({ page, member }) => {
  const full = page.getByText(pageProblems.storageFull);
  await page.goto("/auth");
  const fill = (left: number) =>
    page.evaluate((room) => {
      let text = "x".repeat(2 ** 23);
      for (let size = text.length; size > room; size = Math.floor(size / 2)) {
        text = "x".repeat(size);
        try {
          for (let n = 0; n < 2; n++) localStorage.setItem(`filled-${size}-${n}`, text);
        } catch {}
      }
    }, left);
  await fill(512);
  await submitLogin(page, member);
  await expect(full).toBeFocused();
  await fill(0);
  await page.reload();
  await expect(full).toBeVisible();
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await submitLogin(page, member);
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
});

test("Enter before the scripts logs in as soon as they are there, without a request before", async ({
  page,
  member,
}) => {
  const release = await holdRequests(page, "**/_astro/*.js");
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(new URL(request.url()).pathname));
  await page.goto("/auth", { waitUntil: "commit" });
  await page.getByLabel(authWords.email).fill(member.email);
  await page.getByLabel(authWords.password).fill(member.password);
  await expect(button(page, authWords.login.submit)).toBeEnabled();
  await page.keyboard.press("Enter");
  await expect(page.getByText(pageProblems.waiting)).toBeVisible();
  expect(posts).toEqual([]);
  await expect(page).toHaveURL("/auth");

  release();
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
  expect(posts.filter((path) => path === "/auth/v1/token")).toHaveLength(1);
});
