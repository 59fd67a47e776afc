import { setTimeout } from "node:timers/promises";
import { codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { outcomeWords } from "#content/outcomes";
import { defaultPublicKey } from "#server/settings";
import { siteUrl } from "../support/site.ts";
import { expect, test } from "./support/accounts.ts";
import { button, submitConfirmation, submitForgotPassword, submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError, untilIdle } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { serveInTwoParts } from "./support/two-parts.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const newPassword = "four unrelated garden birds";

test("by keyboard, a sign-up is confirmed by a link that opening does not use", async ({ page, stranger, linkFor }) => {
  const keyboard = await keyboardUser(page);
  await submitSignUp(page, stranger, keyboard);
  await expect(page.getByText(authMessages.signedUp)).toBeFocused();
  await expect(page.getByText(stranger.email)).toBeVisible();
  await expect(page).toHaveURL("/auth");

  const target = `${siteUrl}/thanks?by=mail`;
  const link = `${await linkFor(stranger.email)}&redirect_to=${encodeURIComponent(target)}`;
  const token = new URLSearchParams(new URL(link).hash.slice(1)).get("token_hash") ?? "none";
  const calls: string[] = [];
  page.on("request", (request) => calls.push(`${request.method()} ${request.url()} ${request.postData() ?? ""}`));
  await page.goto(link);
  await expect(page).toHaveURL("/auth");
  await expect(page.getByText(linkWords.signup.text)).toBeVisible();
  await expect(page.getByLabel(passwordWords.label)).toHaveCount(0);
  await untilIdle(page);
  expect(calls.length).toBeGreaterThan(3);
  expect(calls.filter((call) => call.includes(token) || call.includes("/verify"))).toEqual([]);
  await keyboard.press(button(page, linkWords.signup.button));
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();
  await keyboard.press(page.getByRole("link", { name: outcomeWords.goOn }));
  await expect(page).toHaveURL(target);
});

test("a mailed link opens its step even if the scripts are cached and the end of the page is late", async ({
  page,
  context,
}) => {
  const proxy = await serveInTwoParts("</main>");
  const url = `${proxy.url}/auth`;
  await page.goto(url);
  await untilIdle(page);

  proxy.rest = setTimeout(1500);
  const other = await context.newPage();
  await other.goto(`${url}#token_hash=abc&type=signup`);
  await expect(other.getByRole("heading", { name: linkWords.signup.title })).toBeVisible();
  await expect(other).toHaveURL(url);
  proxy.close();
});

test("a mailed link resets a password", async ({ page, member, linkFor, openSessions, sessionOf }) => {
  await sessionOf(member);
  const [before] = await openSessions(member.email);
  await page.setViewportSize({ width: 360, height: 740 });
  await submitForgotPassword(page, member.email);
  await expect(page.getByText(mailWords.sent.recovery)).toBeFocused();
  await page.getByLabel(codeWords.label).waitFor();
  await expectGoodPage(page);

  await page.goto(await linkFor(member.email));
  await button(page, linkWords.recovery.button).click();
  await expect(page.getByLabel(passwordWords.account)).toHaveValue(member.email);
  await expect(page.getByLabel(passwordWords.label)).toHaveAttribute("autocomplete", "new-password");
  await expectGoodPage(page);
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await button(page, passwordWords.submit).click();
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  expect(await openSessions(member.email)).toHaveLength(1);
  expect(await openSessions(member.email)).not.toContain(before);
  await sessionOf({ email: member.email, password: newPassword });
});

test("an expired link shows an error and offers a new mail", async ({
  page,
  stranger,
  signUp,
  linkFor,
  codeFor,
  database,
  endMailWait,
}) => {
  expectConsoleError("403");
  await signUp(stranger);
  const link = await linkFor(stranger.email);
  const ofStranger = "user_id = (select id from auth.users where email = $1)";
  const expire = `update auth.one_time_tokens set expires_at = now() - interval '1 minute' where ${ofStranger}`;
  await database.query(expire, [stranger.email]);
  await endMailWait(stranger.email);
  await page.goto(link);
  await submitConfirmation(page, newPassword);
  await expect(page.getByText(linkWords.expired.signup)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(stranger.email);
  await page.keyboard.press("Enter");
  await expect(page.getByText(mailWords.sent.signup)).toBeFocused();
  // A password manager saves the password under this field, which comes before the code.
  const names = page.locator("form:has([autocomplete=new-password]) input");
  await expect(names.first()).toHaveAttribute("autocomplete", "username");
  await expect(names.first()).toHaveValue(stranger.email);
  await page.getByLabel(codeWords.label).fill(await codeFor(stranger.email, 2));
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await button(page, codeWords.submit).click();
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();
});

test("a link of an unknown type offers a mail", { tag: "@rare" }, async ({ page, member, codeFor }) => {
  await page.goto("/auth#token_hash=abc&type=magiclink");
  await expect(page.getByText(linkWords.expired.recovery)).toBeFocused();
  await expect(page).toHaveURL("/auth");
  await page.keyboard.press("Tab");
  await page.keyboard.type(member.email);
  await page.keyboard.press("Enter");
  await expect(page.getByText(mailWords.sent.recovery)).toBeFocused();
  await page.getByLabel(codeWords.label).fill(await codeFor(member.email));
  await button(page, codeWords.submit).click();
  await expect(page.getByLabel(passwordWords.label)).toBeVisible();
});

test("a /verify link for recovery leads to a new password", { tag: "@rare" }, async ({
  page,
  member,
  linkFor,
  sessionOf,
}) => {
  expectConsoleError("422");
  await submitForgotPassword(page, member.email);
  const fields = new URLSearchParams(new URL(await linkFor(member.email)).hash.slice(1));
  await page.goto(`/auth/v1/verify?token=${fields.get("token_hash")}&type=recovery`);
  await button(page, outcomeWords.logIn).click();
  await expect(page).toHaveURL("/auth");
  const field = page.getByLabel(passwordWords.label);
  await field.fill(member.password);
  await button(page, passwordWords.submit).click();
  await expect(page.getByText("New password should be different from the old password.")).toBeFocused();
  await page.reload();
  await field.fill(newPassword);
  await button(page, `${passwordWords.show} ${passwordWords.subject}`).click();
  await expect(field).toHaveAttribute("type", "text");
  await button(page, passwordWords.submit).click();
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: newPassword });
});

test("links in both mailboxes confirm a change of the address", async ({ page, member, linkFor, sessionOf }) => {
  const { access_token } = JSON.parse(await sessionOf(member));
  const newEmail = `new-${member.email}`;
  const headers = { apikey: defaultPublicKey, authorization: `Bearer ${access_token}` };
  const body = JSON.stringify({ email: newEmail });
  expect((await fetch(`${siteUrl}/auth/v1/user`, { method: "PUT", headers, body })).status).toBe(200);

  const confirm = button(page, linkWords.emailChange.button);
  await page.goto(await linkFor(newEmail));
  await confirm.click();
  await expect(page.getByText(linkWords.emailChange.other)).toBeFocused();
  await expect(confirm).toHaveCount(0);

  await page.goto(await linkFor(member.email));
  await confirm.click();
  await expect(page.getByText(outcomeWords.emailChanged)).toBeVisible();
  await sessionOf({ email: newEmail, password: member.password });
});
