import type { Page } from "@playwright/test";
import { authWords, codeWords, mailAgainWords, mailWords, passwordWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { authMessages } from "#content/messages";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, sessionKey, test } from "./support/accounts.ts";
import { submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError, hold, untilIdle } from "./support/fixtures.ts";

test("a login by keyboard shows progress, then a success message until the next reload", async ({ page, member }) => {
  const { released, release } = hold();
  await page.route("**/auth/v1/token*", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/auth");
  await expect(page.getByRole("button", { name: authWords.login.submit, exact: true })).toBeEnabled();
  await page.getByLabel(authWords.email).focus();
  await page.keyboard.type(member.email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(member.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: authWords.login.busy })).toBeDisabled();

  release();
  await expect(page).toHaveURL("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();

  await page.reload();
  await untilIdle(page);
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
  await page.goto("/auth");
  await expect(page).toHaveURL("/");
  await untilIdle(page);
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
});

test("the login shows the same focused error for a wrong password and an unknown email address", async ({
  page,
  member,
}) => {
  expectConsoleError("400");
  await page.goto("/auth");
  for (const email of [member.email, `unknown-${member.email}`]) {
    await page.getByLabel(authWords.email).fill(email);
    await page.getByLabel(authWords.password).fill("not the password");
    await page.getByRole("button", { name: authWords.login.submit, exact: true }).click();
    await expect(page.getByText("Invalid login credentials")).toBeFocused();
    await expect(page.getByLabel(authWords.email)).toHaveValue(email);
    await expect(page.getByRole("button", { name: authWords.login.submit, exact: true })).toBeEnabled();
    if (email === member.email) await expectNoAccessibilityProblems(page);
    // Without a reload, the check for the second email address could find the error message of the first.
    await page.reload();
  }
});

test("a login with an unconfirmed email address offers to resend the confirmation mail", async ({
  page,
  stranger,
  codeFor,
  endMailWait,
}) => {
  expectConsoleError("400");
  await submitSignUp(page, stranger);
  await expect(page.getByText(authMessages.signedUp)).toBeVisible();
  await endMailWait(stranger.email);

  await page.getByRole("button", { name: authWords.signup.toggle }).click();
  await expect(page.getByLabel(authWords.email)).toHaveValue(stranger.email);
  await page.getByLabel(authWords.password).fill(stranger.password);
  await page.getByRole("button", { name: authWords.login.submit, exact: true }).click();
  await expect(page.getByText("Email not confirmed")).toBeFocused();

  await page.getByRole("button", { name: mailAgainWords.send }).click();
  await expect(page.getByText(mailAgainWords.sent)).toBeVisible();
  await page.getByLabel(codeWords.label).fill(await codeFor(stranger.email, 2));
  await page.getByRole("button", { name: codeWords.submit }).click();
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
});

test("a login or sign-up without a response shows an error; a refusal shows the server's text", async ({
  page,
  stranger,
}) => {
  expectConsoleError("Failed to load resource");
  for (const path of ["**/auth/v1/token*", "**/auth/v1/signup*"]) await page.route(path, (route) => route.abort());
  await page.goto("/auth");
  const submitted = async (mode: "login" | "signup", password: string) => {
    await page.getByLabel(authWords.email).fill(stranger.email);
    await page.getByLabel(authWords.password).fill(password);
    await page.getByRole("button", { name: authWords[mode].submit, exact: true }).click();
  };
  await submitted("login", stranger.password);
  await expect(page.getByText(authMessages.notLoggedIn)).toBeFocused();
  await page.getByRole("button", { name: authWords.login.toggle }).click();
  await submitted("signup", stranger.password);
  await expect(page.getByText(authMessages.notSignedUp)).toBeFocused();

  await page.unroute("**/auth/v1/signup*");
  await submitted("signup", "short");
  await expect(page.getByText("Password should be at least 8 characters.")).toBeFocused();
});

test("a switch between login and sign-up keeps the email and sets the password's `autocomplete`", async ({ page }) => {
  await page.goto("/auth");
  const email = page.getByLabel(authWords.email);
  const password = page.getByLabel(authWords.password);
  await email.fill("ada@example.com");
  await expect(email).toHaveAttribute("autocomplete", "username");
  await expect(password).toHaveAttribute("autocomplete", "current-password");
  await page.getByRole("button", { name: authWords.login.toggle }).click();
  await expect(email).toHaveValue("ada@example.com");
  await expect(password).toHaveAttribute("autocomplete", "new-password");
  await page.getByRole("button", { name: authWords.signup.toggle }).click();
  await expect(email).toHaveValue("ada@example.com");
});

test("/auth offers no sign-up where it is closed, and the login does not wait for that answer", async ({
  page,
  member,
}) => {
  const release = await holdSettings(page, { disable_signup: true, password_min_length: 12 });
  await page.goto("/auth");
  const toggle = page.getByRole("button", { name: authWords.login.toggle });
  const forgot = page.getByRole("button", { name: mailWords.forgot });
  await page.getByLabel(authWords.email).fill(member.email);
  await toggle.click();
  await expect(page.getByText(passwordWords.hint(8))).toBeVisible();
  await page.getByRole("button", { name: authWords.signup.toggle }).click();
  const before = await forgot.boundingBox();

  release();
  await expect(page.getByText(authWords.signUpClosed.short)).toBeVisible();
  await expect(toggle).toHaveCount(0);
  expect(await forgot.boundingBox()).toEqual(before);
  await expect(page.getByLabel(authWords.email)).toHaveValue(member.email);
  await expectNoAccessibilityProblems(page, { widths: [360] });
  await page.getByRole("button", { name: codeWords.have }).click();
  await expect(page.getByText(passwordWords.hint(12))).toBeVisible();
});

test("a sign-up form that is open when the answer comes that sign-up is closed gives way to a sentence", async ({
  page,
  member,
}) => {
  const release = await holdSettings(page, { disable_signup: true });
  await page.goto("/auth");
  await page.getByRole("button", { name: authWords.login.toggle }).click();
  release();
  await expect(page.getByText(authWords.signUpClosed.text)).toBeVisible();
  await expect(page.getByLabel(authWords.email)).toHaveCount(0);
  await page.getByRole("button", { name: authWords.signup.toggle }).click();
  await page.getByLabel(authWords.email).fill(member.email);
  const password = page.getByLabel(authWords.password);
  await password.fill(member.password);
  await page.getByRole("button", { name: `${passwordWords.show} ${passwordWords.subject}` }).click();
  await expect(password).toHaveAttribute("type", "text");
  await page.getByRole("button", { name: authWords.login.submit, exact: true }).click();
  await expect(page).toHaveURL("/");
});

test("a login in one tab redirects the /auth page of another tab to /, without a message", async ({
  page,
  context,
  member,
  logIn,
}) => {
  await page.goto("/auth");
  await expect(page.getByRole("button", { name: authWords.login.submit, exact: true })).toBeEnabled();
  await logIn(member, await context.newPage());
  await expect(page).toHaveURL("/");
  await untilIdle(page);
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();
});

test("a login first makes the server end the session that is still stored in the browser", async ({
  page,
  member,
  openSessions,
  sessionOf,
}) => {
  const oldSession = await sessionOf(member);
  const [before] = await openSessions(member.email);
  await page.goto("/auth");
  await page.getByLabel(authWords.email).fill(member.email);
  await page.getByLabel(authWords.password).fill(member.password);
  const submit = page.getByRole("button", { name: authWords.login.submit, exact: true });
  await expect(submit).toBeEnabled();

  const calls: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST") calls.push(new URL(request.url()).pathname);
  });
  // Store the session and click in one step. Otherwise the client library could load in between, find the session and
  // redirect.
  await submit.evaluate(
    (button, [key, session]) => {
      window.localStorage.setItem(key, session);
      (button as HTMLButtonElement).click();
    },
    [sessionKey, oldSession] as const,
  );
  await expect(page).toHaveURL("/");
  expect(calls.slice(0, 2)).toEqual(["/auth/v1/logout", "/auth/v1/token"]);
  const after = await openSessions(member.email);
  expect(after).toHaveLength(1);
  expect(after).not.toContain(before);
});

test("before hydration, the login form cannot be submitted but keeps the typed text", async ({ page, member }) => {
  const { released, release } = hold();
  await page.route("**/_astro/*.js", async (route) => {
    await released;
    await route.continue();
  });
  const posts: string[] = [];
  page.on("request", (request) => request.method() === "POST" && posts.push(request.url()));

  await page.goto("/auth", { waitUntil: "commit" });
  const submit = page.getByRole("button", { name: authWords.login.submit, exact: true });
  await page.getByLabel(authWords.email).fill(member.email);
  await page.getByLabel(authWords.password).fill(member.password);
  await expect(submit).toBeDisabled();
  await page.keyboard.press("Enter");
  expect(page.url()).toMatch(/\/auth$/);
  expect(posts).toEqual([]);

  release();
  await expect(submit).toBeEnabled();
  await expect(page.getByLabel(authWords.password)).toHaveValue(member.password);
  await submit.click();
  await expect(page).toHaveURL("/");
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
