import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { passwordWords } from "#content/auth";
import { accountLink, accountMenuWords, inboxLink } from "#content/navigation";
import { secondFactorWords } from "#content/second-factor";
import { expect, test } from "./support/accounts.ts";
import { button } from "./support/auth-forms.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const newPassword = "four unrelated garden birds";
const { email } = accountWords;

test("by keyboard, a user changes the password and asks for another address", async ({
  page,
  member,
  startSession,
  sessionOf,
  openSessions,
  linkFor,
}) => {
  expectConsoleError("400");
  await sessionOf(member);
  await startSession(member);
  const { press, write } = await keyboardUser(page);
  await page.goto("/account");
  const current = page.getByLabel(passwordWords.current, { exact: true });
  await write(current, "not this one");
  await write(page.getByLabel(passwordWords.label, { exact: true }), newPassword);
  await press(button(page, passwordWords.submit));
  await expect(page.getByText("That is not your current password.")).toBeFocused();
  await write(current, member.password);
  await press(button(page, passwordWords.submit));
  await expect(page.getByText(accountWords.password.saved)).toBeFocused();
  await expect(current).toHaveValue("");
  expect(await openSessions(member.email)).toHaveLength(1);
  await sessionOf({ email: member.email, password: newPassword });

  await write(page.getByLabel(email.label), member.email);
  await press(button(page, email.submit));
  await expect(page.getByText(email.same)).toBeFocused();
  const newEmail = `new-${member.email}`;
  await write(page.getByLabel(email.label), newEmail);
  await press(button(page, email.submit));
  await expect(page.getByText(email.sent)).toBeFocused();
  await expect(page.getByText(email.waiting(newEmail, member.email))).toBeVisible();
  await expect(page.getByLabel(email.label)).toHaveValue("");
  for (const address of [member.email, newEmail]) expect(await linkFor(address)).toContain("type=email_change");
});

test("a user of a small screen logs out on this device only", async ({
  page,
  member,
  startSession,
  sessionOf,
  openSessions,
}) => {
  await sessionOf(member);
  const [other] = await openSessions(member.email);
  await startSession(member);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: secondFactorWords.title })).toBeVisible();
  await expectGoodPage(page);
  await button(page, accountWords.logOutHere).click();
  await expect(page).toHaveURL("/auth");
  expect(await openSessions(member.email)).toEqual([other]);
  await page.goto("/account");
  await expect(page).toHaveURL("/auth");
});

test("the account's menu leads an admin from the inbox to the account and back", async ({
  page,
  admin,
  startSession,
}) => {
  await startSession(admin);
  await page.goto("/account");
  await headerLink(page, inboxLink.label).click();
  await expect(page).toHaveURL("/admin/contacts");
  await button(page, accountLink.label).click();
  await headerLink(page, accountMenuWords.account.title).click();
  await expect(page).toHaveURL("/account");
});

const headerLink = (page: Page, name: string) => page.getByRole("banner").getByRole("link", { name, exact: true });
