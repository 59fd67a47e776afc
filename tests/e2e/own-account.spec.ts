import type { Page } from "@playwright/test";
import { deviceNameOf } from "#backend/auth/sessions/device-name";
import { accountWords, auditWords, placeWords } from "#content/account";
import { passwordWords } from "#content/auth";
import { accountLink, accountMenuWords, inboxLink } from "#content/navigation";
import { expect, test } from "./support/accounts.ts";
import { button } from "./support/auth-forms.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const newPassword = "four unrelated garden birds";
const { email, sessions } = accountWords;

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

test("a user ends one other session, then all others, then the one of this device", async ({
  page,
  member,
  startSession,
  sessionOf,
  openSessions,
}) => {
  for (const _ of ["a laptop", "a tablet", "a phone"]) await sessionOf(member);
  await startSession(member);
  await page.goto("/account");
  await expect(page.getByText(sessions.here, { exact: true })).toHaveCount(1);
  const endings = page.getByRole("button", { name: sessions.endWhich(deviceNameOf("node")) });
  await endings.first().click();
  await expect(page.getByText(sessions.ended)).toBeFocused();
  expect(await openSessions(member.email)).toHaveLength(3);
  await button(page, sessions.endOthers).click();
  await expect(page.getByText(sessions.othersEnded)).toBeFocused();
  await expect(endings).toHaveCount(0);
  await expect(button(page, sessions.endOthers)).toHaveCount(0);
  const here = await openSessions(member.email);
  expect(here).toHaveLength(1);

  await sessionOf(member);
  await button(page, sessions.logOutHere).click();
  await expect(page).toHaveURL("/auth");
  const left = await openSessions(member.email);
  expect(left).toHaveLength(1);
  expect(left).not.toEqual(here);
  await page.goto("/account");
  await expect(page).toHaveURL("/auth");
});

test("the audit list is requested and shown for an admin only", async ({ page, member, setAdmin, startSession }) => {
  const auditRequests: string[] = [];
  page.on("request", (request) => request.url().endsWith("/audit") && auditRequests.push(request.url()));
  await startSession(member);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: sessions.title })).toBeVisible();
  await expect(page.getByRole("heading", { name: accountWords.audit.title })).toBeHidden();
  expect(auditRequests).toEqual([]);

  await setAdmin(member.email, true);
  await page.reload();
  const entry = page.getByRole("listitem").filter({ hasText: auditWords.login }).filter({ hasText: member.email });
  await expect(entry.first()).toContainText(accountWords.audit.from(auditWords.login ?? "", placeWords.sameMachine));
  await expect(entry.first().getByRole("time")).toContainText(`${new Date().getFullYear()}`);
  await expectGoodPage(page);
  await headerLink(page, inboxLink.label).click();
  await expect(page).toHaveURL("/admin/contacts");
  await button(page, accountLink.label).click();
  await headerLink(page, accountMenuWords.account.title).click();
  await expect(page).toHaveURL("/account");
});

const headerLink = (page: Page, name: string) => page.getByRole("banner").getByRole("link", { name, exact: true });
