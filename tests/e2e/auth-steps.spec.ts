import type { Page } from "@playwright/test";
import { authWords, codeWords, mailWords, passwordWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { expect, test } from "./support/accounts.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { inputMethods, personWith } from "./support/input-methods.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const email = (page: Page) => page.getByLabel(authWords.email);

for (const method of inputMethods) {
  test(`with ${method}, each form on /auth focuses its first field`, async ({ page }) => {
    const { press } = await personWith(method, page);
    await page.goto("/auth");
    for (const [forward, back] of [
      [mailWords.forgot, authWords.backToLogin],
      [codeWords.have, authWords.backToLogin],
      [authWords.login.toggle, authWords.signup.toggle],
    ] as const) {
      await press(button(page, forward));
      await page.keyboard.type(`${forward.length}@example.com`);
      await expect(email(page)).toHaveValue(`${forward.length}@example.com`);
      await press(button(page, back));
      await page.keyboard.type("back@example.com");
      await expect(email(page)).toHaveValue("back@example.com");
    }
  });

  test(`with ${method}, a switch to another form on /auth keeps the typed values`, async ({ page }) => {
    const { press, write } = await personWith(method, page);
    await page.goto("/auth");
    await write(email(page), "ada@example.com");
    await write(page.getByLabel(authWords.password), "a long walk");
    await press(button(page, authWords.login.toggle));
    await expect(page.getByLabel(authWords.password)).toHaveValue("a long walk");
    await press(button(page, authWords.signup.toggle));
    await expect(page.getByLabel(authWords.password)).toHaveValue("a long walk");
    await expect(email(page)).toHaveValue("ada@example.com");

    await press(button(page, mailWords.forgot));
    await expect(email(page)).toHaveValue("ada@example.com");
    await write(email(page), "bea@example.com");
    await press(button(page, authWords.backToLogin));
    await expect(email(page)).toHaveValue("bea@example.com");
    await press(button(page, codeWords.have));
    await expect(email(page)).toHaveValue("bea@example.com");
    await write(email(page), "cleo@example.com");
    await press(button(page, authWords.backToLogin));
    await expect(email(page)).toHaveValue("cleo@example.com");
  });
}

test("a form opened on /auth is rendered and focused before the next key event", async ({ page }) => {
  await page.goto("/auth");
  for (const choice of [mailWords.forgot, authWords.backToLogin, codeWords.have, authWords.backToLogin]) {
    await expect(button(page, choice)).toBeEnabled();
    const focused = await button(page, choice).evaluate(async (clicked: HTMLButtonElement) => {
      clicked.click();
      await Promise.resolve();
      return [document.activeElement?.getAttribute("name"), clicked.isConnected];
    });
    expect(focused).toEqual(["email", false]);
  }
});

test("/auth opens without a focused field; /auth#new-password focuses the password field", async ({
  page,
  member,
  startSession,
}) => {
  await page.goto("/auth");
  await expect(button(page, authWords.login.submit)).toBeEnabled();
  await expect(page.locator("body")).toBeFocused();

  await startSession(member);
  await page.goto("/auth#new-password");
  await expect(page.getByLabel(passwordWords.label, { exact: true })).toBeFocused();
});

test("a login that fails after a switch to another form of /auth shows no error", async ({ page, stranger }) => {
  expectConsoleError("Failed to load resource");
  let refuse = () => {};
  const held = new Promise<void>((done) => {
    refuse = done;
  });
  await page.route("**/auth/v1/token*", async (route) => {
    await held;
    await route.abort();
  });
  await page.goto("/auth");
  await email(page).fill(stranger.email);
  await page.getByLabel(authWords.password).fill(stranger.password);
  await button(page, authWords.login.submit).click();
  await expect(button(page, authWords.login.busy)).toBeVisible();
  await button(page, mailWords.forgot).click();
  await email(page).fill("ada@example.com");

  const refused = page.waitForEvent("requestfailed");
  refuse();
  await refused;
  await button(page, authWords.backToLogin).click();
  await expect(button(page, authWords.login.submit)).toBeEnabled();
  await expect(page.getByText(authMessages.notLoggedIn)).toBeHidden();
  await expect(email(page)).toHaveValue("ada@example.com");
});

test("a login that succeeds after a switch to sign-up still leads to the landing page", async ({ page, member }) => {
  const held = Promise.withResolvers<void>();
  await page.route("**/auth/v1/token*", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("/auth");
  await email(page).fill(member.email);
  await page.getByLabel(authWords.password).fill(member.password);
  await button(page, authWords.login.submit).click();
  await expect(button(page, authWords.login.busy)).toBeVisible();
  await button(page, authWords.login.toggle).click();
  held.resolve();
  await expect(page).toHaveURL("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
});
