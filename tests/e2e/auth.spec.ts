import type { Page } from "@playwright/test";
import { authWords, codeWords, mailAgainWords, mailWords, passwordWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { outcomeWords } from "#content/outcomes";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/accounts.ts";
import { button, submitLogin, submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError, hold, holdRequests, untilIdle } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";

const email = (page: Page) => page.getByLabel(authWords.email);
const password = (page: Page) => page.getByLabel(authWords.password);

test("a login typed before hydration shows progress, then a message until a reload", async ({ page, member }) => {
  const releaseScripts = await holdRequests(page, "**/_astro/*.js");
  const releaseToken = await holdRequests(page, "**/auth/v1/token*");
  await page.goto("/auth", { waitUntil: "commit" });
  await email(page).focus();
  await page.keyboard.type(member.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(member.password);

  releaseScripts();
  await expect(page.locator("[data-hydrated=true]")).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(button(page, authWords.login.busy)).toBeDisabled();
  releaseToken();
  await expect(page).toHaveURL("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();

  await page.reload();
  await untilIdle(page);
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
  // The page redirects as soon as it loads, which would abort a wait for its load.
  await page.goto("/auth", { waitUntil: "commit" });
  await expect(page).toHaveURL("/");
});

test("a refused login or sign-up focuses the server's reason and stays filled", async ({ page, member }) => {
  expectConsoleError("400");
  expectConsoleError("422");
  await page.goto("/auth");
  await submitLogin(page, { ...member, password: "short" });
  const refusal = page.getByText("Invalid login credentials");
  await expect(refusal).toBeFocused();
  // A screen reader reads what gets the focus, and would read a live region once more.
  await expect(page.locator("[role=status], [role=alert], [aria-live]").filter({ has: refusal })).toHaveCount(0);
  await expect(refusal.and(page.locator("[role=status], [role=alert], [aria-live]"))).toHaveCount(0);
  await expect(email(page)).toHaveValue(member.email);
  await expect(button(page, authWords.login.submit)).toBeEnabled();
  await expectNoAccessibilityProblems(page, { dark: true });
  await button(page, authWords.login.toggle).click();
  await expect(password(page)).toHaveValue("short");
  await button(page, authWords.signup.submit).click();
  await expect(page.getByText("Password should be at least 8 characters.")).toBeFocused();
});

test("a login before the confirmation offers another mail", async ({ page, stranger, codeFor, endMailWait }) => {
  expectConsoleError("400");
  await submitSignUp(page, stranger);
  await expect(page.getByText(authMessages.signedUp)).toBeVisible();
  await endMailWait(stranger.email);

  await button(page, authWords.signup.toggle).click();
  await expect(email(page)).toHaveValue(stranger.email);
  await submitLogin(page, stranger);
  await expect(page.getByText("Email not confirmed")).toBeFocused();
  await button(page, mailAgainWords.send).click();
  await expect(page.getByText(mailWords.sent.signup)).toBeVisible();
  await page.getByLabel(codeWords.label).fill(await codeFor(stranger.email, 2));
  await button(page, codeWords.submit).click();
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();
});

test("each form on /auth focuses its first field at once and keeps the typed values", async ({ page }) => {
  const { press } = await keyboardUser(page);
  await page.goto("/auth");
  await expect(button(page, authWords.login.submit)).toBeEnabled();
  await expect(page.locator("body")).toBeFocused();
  for (const [forward, back] of [
    [mailWords.forgot, authWords.backToLogin],
    [codeWords.have, authWords.backToLogin],
    [authWords.login.toggle, authWords.signup.toggle],
  ] as const) {
    if (forward === authWords.login.toggle) await password(page).fill("a long walk");
    await press(button(page, forward));
    await page.keyboard.type(`${forward.length}@example.com`);
    await expect(email(page)).toHaveValue(`${forward.length}@example.com`);
    if (forward === authWords.login.toggle) {
      await expect(password(page)).toHaveValue("a long walk");
      await expect(password(page)).toHaveAttribute("autocomplete", "new-password");
    }
    const focused = await button(page, back).evaluate(async (clicked: HTMLButtonElement) => {
      clicked.click();
      await Promise.resolve();
      return [document.activeElement?.getAttribute("name"), clicked.isConnected];
    });
    expect(focused).toEqual(["email", false]);
    await expect(email(page)).toHaveValue(`${forward.length}@example.com`);
    await email(page).fill("");
  }
  await expect(email(page)).toHaveAttribute("autocomplete", "username");
  await expect(password(page)).toHaveAttribute("autocomplete", "current-password");
});

test("a login that ends on another form shows no error, and leads on all the same", { tag: "@rare" }, async ({
  page,
  member,
}) => {
  expectConsoleError("Failed to load resource");
  const failure = hold();
  await page.route("**/auth/v1/token*", async (route) => {
    await failure.released;
    await route.abort();
  });
  await page.goto("/auth");
  await submitLogin(page, member);
  await expect(button(page, authWords.login.busy)).toBeVisible();
  await button(page, mailWords.forgot).click();
  const refused = page.waitForEvent("requestfailed");
  failure.release();
  await refused;
  await button(page, authWords.backToLogin).click();
  await expect(button(page, authWords.login.submit)).toBeEnabled();
  await expect(page.getByText(authMessages.notLoggedIn)).toBeHidden();

  const release = await holdRequests(page, "**/auth/v1/token*");
  await submitLogin(page, member);
  await expect(button(page, authWords.login.busy)).toBeVisible();
  await button(page, authWords.login.toggle).click();
  release();
  await expect(page).toHaveURL("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
});

test("/auth offers no sign-up where it is closed, and does not wait for that answer", { tag: "@rare" }, async ({
  page,
  member,
}) => {
  const closed = { disable_signup: true, password_min_length: 12 };
  const release = await holdSettings(page, closed);
  await page.goto("/auth");
  const toggle = button(page, authWords.login.toggle);
  const forgot = button(page, mailWords.forgot);
  await email(page).fill(member.email);
  await toggle.click();
  await expect(page.getByText(passwordWords.hint(8))).toBeVisible();
  await button(page, authWords.signup.toggle).click();
  const before = await forgot.boundingBox();

  release();
  await expect(page.getByText(authWords.signUpClosed.short)).toBeVisible();
  await expect(toggle).toHaveCount(0);
  expect(await forgot.boundingBox()).toEqual(before);
  await expect(email(page)).toHaveValue(member.email);
  await expectNoAccessibilityProblems(page);
  await button(page, codeWords.have).click();
  await expect(page.getByText(passwordWords.hint(12))).toBeVisible();

  await test.step("a sign-up form that is open then gives way to a sentence", async () => {
    const releaseAgain = await holdSettings(page, closed);
    await button(page, authWords.backToLogin).click();
    await page.reload();
    await toggle.click();
    releaseAgain();
    await expect(page.getByText(authWords.signUpClosed.text)).toBeVisible();
    await expect(email(page)).toHaveCount(0);
    await button(page, authWords.signup.toggle).click();
    await button(page, `${passwordWords.show} ${passwordWords.subject}`).click();
    await expect(password(page)).toHaveAttribute("type", "text");
  });
});

test("a login redirects other tabs at /auth, but not a code step", { tag: "@rare" }, async ({
  page,
  context,
  stranger,
  member,
  logIn,
}) => {
  await submitSignUp(page, { ...stranger, email: `second-${stranger.email}` });
  const code = page.getByLabel(codeWords.label);
  await code.fill("12");
  const other = await context.newPage();
  await other.goto("/auth");
  await expect(button(other, authWords.login.submit)).toBeEnabled();
  await logIn(member, await context.newPage());
  await expect(other).toHaveURL("/");
  await untilIdle(other);
  await expect(other.getByText(authMessages.loggedIn)).toBeHidden();
  await page.bringToFront();
  await code.fill("123");
  await expect(page).toHaveURL("/auth");
});

/** Holds back the answer about the settings until the returned function is called. */
async function holdSettings(page: Page, settings: object) {
  const { released, release } = hold();
  await page.route("**/auth/v1/settings", async (route) => {
    await released;
    await route.fulfill({ json: settings });
  });
  return release;
}
