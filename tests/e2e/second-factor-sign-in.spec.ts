import type { Page } from "@playwright/test";
import { authWords, codeWords, linkWords, passwordWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { inboxWords } from "#content/inbox";
import { authMessages, inboxMessages } from "#content/messages";
import { secondFactorStepWords } from "#content/second-factor-step";
import { totpCode } from "../support/totp.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { submitForgotPassword } from "./support/auth-forms.ts";
import { expectConsoleError, hold } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { button, codeField, expect, expectGoodPage, submitCode, submitLogin, test } from "./support/second-factor.ts";

const text = secondFactorStepWords;
const newPassword = "another walk along the river";

const table = (page: Page) => page.getByRole("table").or(page.getByText(inboxMessages.empty));

test("with the keyboard alone, a login with a second factor asks for the code before it leads back", async ({
  page,
  admin,
  addApp,
}) => {
  expectConsoleError("422");
  const secret = await addApp(admin);
  const person = await keyboardUser(page);
  await page.goto("/admin/contacts?state=handled");
  await submitLogin(page, admin, person);
  await expect(page.getByRole("heading", { name: text.title })).toBeVisible();
  await expect(codeField(page)).toBeFocused();
  await expect(codeField(page)).toHaveAttribute("autocomplete", "one-time-code");
  await expect(codeField(page)).toHaveAttribute("inputmode", "numeric");
  await expectGoodPage(page);

  await page.reload();
  await submitCode(page, "12345", person);
  await expect(page.getByText(text.malformed)).toBeFocused();
  await submitCode(page, totpCode(secret, -9), person);
  await expect(page.getByText(text.wrong)).toBeFocused();
  await expectGoodPage(page);
  await page.goto("/");
  await expect(page.getByText(authMessages.loggedIn)).toBeHidden();

  // A code that is sent before the server has answered about the stored session waits for that answer.
  const { released, release } = hold();
  const renewal = page.waitForRequest("**/auth/v1/token?grant_type=refresh_token");
  await page.route("**/auth/v1/token?grant_type=refresh_token", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/auth");
  await renewal;
  await submitCode(page, totpCode(secret).replace(/(?=...$)/, " "), person);
  await expect(button(page, text.busy)).toBeVisible();
  release();
  await expect(page).toHaveURL("/admin/contacts?state=handled");
  await expect(page.getByText(inboxWords.nothing.here(inboxWords.states.handled)).or(table(page))).toBeVisible();
  await page.goto("/auth");
  await expect(page).toHaveURL("/");
});

test("with the keyboard alone, a recovery code takes the place of a lost phone, and the rest is counted", async ({
  page,
  admin,
  addApp,
  addRecoveryCodes,
}) => {
  expectConsoleError("422");
  await addApp(admin);
  await addRecoveryCodes(admin, ["abcdefgh01234567", "0123456789abcdef"]);
  const person = await keyboardUser(page);
  await page.goto("/admin/contacts");
  await submitLogin(page, admin, person);
  await person.press(button(page, text.lost));
  const field = page.getByLabel(text.recovery.label);
  await expect(field).toBeFocused();
  await expectGoodPage(page);
  await page.reload();
  await person.write(field, "ABCD-EFGH-0123-4568");
  await page.keyboard.press("Enter");
  await expect(page.getByText(text.recovery.wrong)).toBeFocused();
  await person.write(field, "ABCD-EFGH-O123 4567");
  await page.keyboard.press("Enter");
  await expect(page.getByText(authMessages.loggedIn, { exact: true })).toBeVisible();
  await expect(page.getByText(flashMessages.recoveryCodes.left(1))).toBeVisible();
  await expect(page.getByRole("link", { name: flashMessages.recoveryCodes.link.label })).toBeVisible();
  await expectNoAccessibilityProblems(page, { widths: [360], within: "#flash-message" });
  await page.getByRole("link", { name: flashMessages.back }).click();
  await expect(table(page)).toBeVisible();
});

test("from the step, another person can log in: the session that waited has ended", async ({
  page,
  member,
  addApp,
  openSessions,
}) => {
  await addApp(member);
  const person = await keyboardUser(page);
  await page.goto("/auth");
  await submitLogin(page, member, person);
  await codeField(page).waitFor();
  await person.press(button(page, text.someoneElse));
  await expect(page.getByLabel(authWords.email)).toBeFocused();
  await expect.poll(() => openSessions(member.email)).toEqual([]);
  await page.reload();
  await expect(page.getByLabel(authWords.email)).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).toEqual([]);
});

test("a mailed link and a typed code lead to the second factor before the new password", async ({
  page,
  member,
  addApp,
  linkFor,
  codeFor,
  endMailWait,
  sessionOf,
}) => {
  const secret = await addApp(member);
  const person = await keyboardUser(page);
  await submitForgotPassword(page, member.email, person);
  await page.goto(await linkFor(member.email));
  await person.press(button(page, linkWords.recovery.button));
  await submitCode(page, totpCode(secret), person);
  await expect(page.getByLabel(passwordWords.label, { exact: true })).toBeFocused();
  await person.write(page.getByLabel(passwordWords.label, { exact: true }), newPassword);
  await person.press(button(page, passwordWords.submit));
  await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: newPassword });

  await page.evaluate(() => localStorage.clear());
  await endMailWait(member.email);
  await submitForgotPassword(page, member.email, person);
  const code = await codeFor(member.email, 2);
  await person.press(button(page, authWords.backToLogin));
  await person.press(button(page, codeWords.have));
  await person.write(page.getByLabel(authWords.email), member.email);
  await person.write(page.getByLabel(codeWords.label), code);
  await person.write(page.getByLabel(passwordWords.label, { exact: true }), `${newPassword} again`);
  await person.press(button(page, codeWords.submit));
  await submitCode(page, totpCode(secret, 1), person);
  await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: `${newPassword} again` });
});

test("a link with tokens in its fragment, as a hosted project mails it, leads to the second factor too", async ({
  page,
  member,
  addApp,
  linkFor,
}) => {
  const secret = await addApp(member);
  await submitForgotPassword(page, member.email);
  const fields = new URLSearchParams(new URL(await linkFor(member.email)).hash.slice(1));
  await page.goto(`/auth/v1/verify?token=${fields.get("token_hash")}&type=recovery`);
  await submitCode(page, totpCode(secret));
  await expect(page.getByLabel(passwordWords.label, { exact: true })).toBeFocused();
});

test("an app that was removed on another device is not asked for, and a session that has ended leads to the login", async ({
  page,
  admin,
  addApp,
  database,
}) => {
  expectConsoleError("Failed to load resource");
  const secret = await addApp(admin);
  const ofAdmin = "user_id = (select id from auth.users where email = $1)";
  await page.goto("/auth");
  await submitLogin(page, admin);
  await codeField(page).waitFor();
  await database.query(`delete from auth.mfa_factors where ${ofAdmin}`, [admin.email]);
  await page.reload();
  await expect(page).toHaveURL("/");
  await page.goto("/admin/contacts");
  await expect(table(page)).toBeVisible();

  await addApp(admin);
  // After a new login the step renews nothing by itself, so only the code that is sent meets the ended session.
  await page.evaluate(() => localStorage.clear());
  await page.goto("/auth");
  await submitLogin(page, admin);
  await codeField(page).waitFor();
  await database.query(`delete from auth.sessions where ${ofAdmin}`, [admin.email]);
  await submitCode(page, totpCode(secret));
  await expect(page.getByText(text.ended)).toBeFocused();

  await submitLogin(page, admin);
  await codeField(page).waitFor();
  // So the server answers once an operator has replaced a leaked signing key and ended all sessions.
  await page.route("**/auth/v1/factors/*/challenge", (route) =>
    route.fulfill({ status: 403, json: { error_code: "bad_jwt", msg: "invalid JWT" } }),
  );
  await database.query(`delete from auth.sessions where ${ofAdmin}`, [admin.email]);
  await submitCode(page, totpCode(secret));
  await expect(page.getByText(text.ended)).toBeFocused();
  await expect(page.getByLabel(authWords.email)).toBeVisible();
});
