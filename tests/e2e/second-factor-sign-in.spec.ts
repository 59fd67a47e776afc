import type { Page } from "@playwright/test";
import { authWords, codeWords, linkWords, passwordWords } from "#content/auth";
import { inboxWords } from "#content/inbox";
import { authMessages, inboxMessages } from "#content/messages";
import { outcomeWords } from "#content/outcomes";
import { secondFactorStepWords } from "#content/second-factor-step";
import { totpCode } from "../support/totp.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { button, submitForgotPassword, submitLogin } from "./support/auth-forms.ts";
import { expectConsoleError, holdRequests } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { codeField, expect, submitCode, test } from "./support/second-factor.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const text = secondFactorStepWords;
const newPassword = "another walk along the river";

const table = (page: Page) =>
  page.getByRole("table").or(page.getByText(inboxMessages.empty)).or(page.getByText(inboxWords.done.title));

test("by keyboard, a login asks for the code before it leads back", async ({ page, admin, addApp }) => {
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
  const release = await holdRequests(page, "**/auth/v1/token?grant_type=refresh_token");
  const renewal = page.waitForRequest("**/auth/v1/token?grant_type=refresh_token");
  await page.goto("/auth");
  await renewal;
  await submitCode(page, totpCode(secret).replace(/(?=...$)/, " "), person);
  await expect(button(page, text.busy)).toBeVisible();
  release();
  await expect(page).toHaveURL("/admin/contacts?state=handled");
  await expect(page.getByText(inboxWords.nothing.here(inboxWords.states.handled)).or(table(page))).toBeVisible();
});

test("a recovery code replaces a lost phone", async ({ page, admin, addApp, addRecoveryCodes, openSessions }) => {
  expectConsoleError("422");
  await addApp(admin);
  await addRecoveryCodes(admin, ["abcdefgh01234567", "0123456789abcdef"]);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/admin/contacts");
  await submitLogin(page, admin);
  await button(page, text.someoneElse).click();
  await expect(page.getByLabel(authWords.email)).toBeFocused();
  await expect.poll(() => openSessions(admin.email)).toEqual([]);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("sb-")))).toEqual([]);
  await submitLogin(page, admin);
  await button(page, text.lost).click();
  const field = page.getByLabel(text.recovery.label);
  await expect(field).toBeFocused();
  await expectGoodPage(page);
  await page.reload();
  await field.fill("ABCD-EFGH-0123-4568");
  await page.keyboard.press("Enter");
  await expect(page.getByText(text.recovery.wrong)).toBeFocused();
  await field.fill("ABCD-EFGH-O123 4567");
  await page.keyboard.press("Enter");
  await expect(page.getByText(authMessages.loggedIn, { exact: true })).toBeVisible();
  await expect(page.getByText(outcomeWords.recoveryCodes.left(1))).toBeVisible();
  await expect(page.getByRole("link", { name: outcomeWords.recoveryCodes.link.label })).toBeVisible();
  await expectNoAccessibilityProblems(page);
  await expect(page.getByRole("link", { name: outcomeWords.back })).toBeVisible();
  await page.reload();
  await expect(page.getByText(outcomeWords.recoveryCodes.left(1))).toBeVisible();
  // The way back ends with a logout in any tab, so a reload does not keep it.
  await page.getByRole("link", { name: outcomeWords.inbox.label }).click();
  await expect(table(page)).toBeVisible();
});

test("mailed links and codes lead to the second factor before a new password", { tag: "@rare" }, async ({
  page,
  member,
  addApp,
  linkFor,
  codeFor,
  endMailWait,
  sessionOf,
}) => {
  const secret = await addApp(member);
  await submitForgotPassword(page, member.email);
  await page.goto(await linkFor(member.email));
  await button(page, linkWords.recovery.button).click();
  await submitCode(page, totpCode(secret));
  await expect(page.getByLabel(passwordWords.label, { exact: true })).toBeFocused();
  await page.getByLabel(passwordWords.label, { exact: true }).fill(newPassword);
  await button(page, passwordWords.submit).click();
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: newPassword });

  await page.evaluate(() => localStorage.clear());
  await endMailWait(member.email);
  await submitForgotPassword(page, member.email);
  const code = await codeFor(member.email, 2);
  await button(page, authWords.backToLogin).click();
  await button(page, codeWords.have).click();
  await page.getByLabel(authWords.email).fill(member.email);
  await page.getByLabel(codeWords.label).fill(code);
  await page.getByLabel(passwordWords.label, { exact: true }).fill(`${newPassword} again`);
  await button(page, codeWords.submit).click();
  await submitCode(page, totpCode(secret, 1));
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: `${newPassword} again` });

  await page.evaluate(() => localStorage.clear());
  await endMailWait(member.email);
  await submitForgotPassword(page, member.email);
  const fields = new URLSearchParams(new URL(await linkFor(member.email, 3)).hash.slice(1));
  await page.goto(`/auth/v1/verify?token=${fields.get("token_hash")}&type=recovery`);
  await button(page, outcomeWords.logIn).click();
  await codeField(page).waitFor();
});

test("a removed app is not asked for; an ended session leads to login", { tag: "@rare" }, async ({
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
  await expect(page.getByLabel(authWords.email)).toBeVisible();
});
