import { authWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { inboxWords } from "#content/inbox";
import { authMessages } from "#content/messages";
import { outcomeWords } from "#content/outcomes";
import { totpCode } from "../support/totp.ts";
import { button, submitForgotPassword, submitLogin } from "./support/auth-forms.ts";
import { expectConsoleError, untilIdle } from "./support/fixtures.ts";
import { expect, submitCode, test } from "./support/second-factor.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const wanted = "/admin/contacts?search=heron&contact=6f1c9a52-0c5e-4a43-9d0a-4f2d3c1b0a99";

test("a login in one tab leads every tab back to its own page, and a plain one to the landing page", async ({
  page,
  context,
  admin,
}) => {
  // Requests that are under way are refused after the logout, and the browser logs that.
  expectConsoleError("Failed to load resource");
  await page.goto(wanted);
  await expect(page).toHaveURL("/auth");
  const other = await context.newPage();
  await other.goto("/admin/contacts");
  await expect(other).toHaveURL("/auth");
  await other.reload();
  await submitLogin(page, admin);
  await expect(page).toHaveURL(wanted);
  await expect(other).toHaveURL("/admin/contacts");
  await other.close();
  await page.goBack();
  await expect(page).toHaveURL("about:blank");

  // The logout is a decision: it keeps no way back.
  await page.goto(wanted);
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await submitLogin(page, admin);
  await expect(page).toHaveURL("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectGoodPage(page);
  await page.reload();
  await untilIdle(page);
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
});

test("a tab that loads the login after a login in another one is led back, and so is a duplicated tab", async ({
  page,
  context,
  admin,
}) => {
  await page.goto(wanted);
  await expect(page).toHaveURL("/auth");
  const discarded = await context.newPage();
  await discarded.goto("/admin/contacts");
  await expect(discarded).toHaveURL("/auth");
  await discarded.goto("about:blank");
  const opened = page.waitForEvent("popup");
  // Like "Duplicate tab", this copies the session storage.
  await page.evaluate(() => void window.open("/auth"));
  const duplicate = await opened;
  await submitLogin(duplicate, admin);
  await expect(duplicate).toHaveURL(wanted);
  await expect(page).toHaveURL(wanted);
  await discarded.goto("/auth");
  await expect(discarded).toHaveURL("/admin/contacts");
  // It ends in the tab, so that a login days later does not lead there.
  await page.goto("/auth");
  await expect(page).toHaveURL("/");
});

test("a logout in one tab leaves no way back in any, to which the next account would be led", async ({
  page,
  context,
  admin,
  addMember,
  setAdmin,
  startSession,
}) => {
  expectConsoleError("Failed to load resource");
  const colleague = await addMember(`colleague-${admin.email}`);
  await setAdmin(colleague.email, true);
  await startSession(admin);
  const other = await context.newPage();
  for (const [tab, address] of [
    [page, "/admin/contacts"],
    [other, "/admin/contacts?state=handled"],
  ] as const) {
    await tab.goto(address);
    await expect(tab.getByRole("button", { name: inboxWords.more })).toBeVisible();
  }
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page).toHaveURL("/auth");
  await expect(other).toHaveURL("/auth");
  await submitLogin(other, colleague);
  await expect(other).toHaveURL("/");
  await expect(page).toHaveURL("/");
});

test("Back to the login, after a logout in another tab, leads the next account to no page of the last one", async ({
  page,
  context,
  admin,
  addMember,
  logIn,
}) => {
  expectConsoleError("Failed to load resource");
  const colleague = await addMember(`colleague-${admin.email}`);
  await page.goto(wanted);
  await expect(page).toHaveURL("/auth");
  await page.goto("/thanks");
  const other = await context.newPage();
  await logIn(admin, other);
  await other.goto("/admin/contacts");
  await other.getByRole("button", { name: inboxWords.logout }).click();
  await expect(other).toHaveURL("/auth");
  await page.goBack();
  await submitLogin(page, colleague);
  await expect(page).toHaveURL("/");
});

test("the outcome of a link offers the way back, until a logout in another tab", async ({
  page,
  context,
  admin,
  sessionOf,
}) => {
  expectConsoleError("Failed to load resource");
  const { access_token, refresh_token } = JSON.parse(await sessionOf(admin));
  await page.goto(wanted);
  await expect(page).toHaveURL("/auth");
  await page.goto(`/#${new URLSearchParams({ access_token, refresh_token, type: "magiclink" })}`);
  await button(page, outcomeWords.logIn).click();
  const back = page.getByRole("link", { name: outcomeWords.back });
  await expect(back).toHaveAttribute("href", wanted);

  const other = await context.newPage();
  await other.goto("/account");
  await other.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page.getByLabel(authWords.email)).toBeVisible();
  await expect(back).toHaveCount(0);
});

test("after a session that ended, only its own account is led back", async ({
  page,
  admin,
  addMember,
  setAdmin,
  startSession,
  database,
}) => {
  expectConsoleError("Failed to load resource");
  const colleague = await addMember(`colleague-${admin.email}`);
  await setAdmin(colleague.email, true);
  const end = () =>
    database.query("delete from auth.sessions where user_id = (select id from auth.users where email = $1)", [
      admin.email,
    ]);
  for (const [account, address] of [
    [colleague, "/"],
    [admin, "/admin/contacts?state=handled"],
  ] as const) {
    await startSession(admin);
    await page.goto("/admin/contacts?state=handled");
    await expect(page.getByRole("button", { name: inboxWords.logout })).toBeEnabled();
    // No request of the page may meet the end of the session before it is opened again: then it would be nobody's page.
    await page.goto("about:blank");
    await end();
    // The second time, nobody is logged in on the page; it is still the tab of that account.
    for (let opened = 0; opened < 2; opened++) {
      await page.goto("/admin/contacts?state=handled");
      await expect(page).toHaveURL("/auth");
    }
    await submitLogin(page, account);
    await expect(page).toHaveURL(address);
  }
});

test("a new password by mail leads back, from the tab of the link and through the second factor", async ({
  page,
  context,
  admin,
  addApp,
  linkFor,
}) => {
  const secret = await addApp(admin);
  await page.goto(wanted);
  await expect(page).toHaveURL("/auth");
  await button(page, mailWords.forgot).click();
  await page.getByLabel(authWords.email).fill(admin.email);
  await button(page, mailWords.send).click();
  const ofMail = await context.newPage();
  await ofMail.goto(await linkFor(admin.email));
  await button(ofMail, linkWords.recovery.button).click();
  await submitCode(ofMail, totpCode(secret));
  await ofMail.getByLabel(passwordWords.label, { exact: true }).fill("another walk along the river");
  await button(ofMail, passwordWords.submit).click();
  await expect(ofMail).toHaveURL(wanted);
});

test("the tab of a mailed link leads back from another tab, though it has the way back of another account", async ({
  page,
  context,
  admin,
  addMember,
  startSession,
  database,
  linkFor,
}) => {
  expectConsoleError("Failed to load resource");
  const colleague = await addMember(`colleague-${admin.email}`);
  await startSession(admin);
  await page.goto("/admin/contacts?state=handled");
  await expect(page.getByRole("button", { name: inboxWords.logout })).toBeEnabled();
  await database.query("delete from auth.sessions where user_id = (select id from auth.users where email = $1)", [
    admin.email,
  ]);
  await page.reload();
  await expect(page).toHaveURL("/auth");
  const other = await context.newPage();
  await other.goto(wanted);
  await expect(other).toHaveURL("/auth");
  await submitForgotPassword(other, colleague.email);
  await page.goto(await linkFor(colleague.email));
  await button(page, linkWords.recovery.button).click();
  await page.getByLabel(passwordWords.label, { exact: true }).fill("another walk along the river");
  await button(page, passwordWords.submit).click();
  await expect(page).toHaveURL(wanted);
});

test("without a session, the inbox redirects without the client library", async ({ page }) => {
  await page.route(/backend-client\.[^/]*\.js/, () => {});
  await page.goto("/admin/contacts");
  await expect(page).toHaveURL("/auth");
});

test("a session that ends in the inbox leaves one way back", { tag: "@rare" }, async ({
  page,
  admin,
  startSession,
  setAdmin,
}) => {
  expectConsoleError("Failed to load resource");
  await startSession(admin);
  await page.goto("/admin/contacts?state=handled");
  await expect(page.getByRole("button", { name: inboxWords.logout })).toBeEnabled();
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith("sb-")) ?? "";
    localStorage.removeItem(key);
    dispatchEvent(new StorageEvent("storage", { key, newValue: null }));
  });
  await expect(page).toHaveURL("/auth");
  await submitLogin(page, admin);
  await expect(page).toHaveURL("/admin/contacts?state=handled");

  await setAdmin(admin.email, false);
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page).toHaveURL("/auth");
  await submitLogin(page, admin);
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => !key.startsWith("sb-")))).toEqual([]);
});

test("the way back leads to no other site and to no page outside /admin/, and ends", async ({ page, admin }) => {
  // The landing page may still ask for the role when the storage is cleared.
  expectConsoleError("401");
  for (const address of [
    "https://evil.example/admin/other",
    "//evil.example/admin/other",
    "/\\evil.example/admin/other",
    "/admin/%2e%2e/auth",
    "/admin/other?old",
  ]) {
    await page.goto("/auth");
    await page.evaluate((stored) => {
      const age = stored.endsWith("old") ? 8 * 24 * 60 * 60 * 1000 : 0;
      sessionStorage.setItem("navigation-intent", "navigation-intent-mine");
      localStorage.setItem("navigation-intent-mine", JSON.stringify({ address: stored, at: Date.now() - age }));
    }, address);
    await submitLogin(page, admin);
    await expect(page, address).toHaveURL("/");
    await page.evaluate(() => localStorage.clear());
  }
});
