import { accountWords, auditWords, placeWords } from "#content/account";
import { passwordWords } from "#content/auth";
import { inboxLink } from "#content/navigation";
import { account } from "#content/pages";
import { workLinks } from "#content/work-header";
import { deviceNameOf } from "#server/auth/sessions/device-name";
import { siteUrl } from "../support/site.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/accounts.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";
import { findTextProblems, smallTargets } from "./support/visual-checks.ts";

const newPassword = "four unrelated garden birds";
const words = accountWords.sessions;

test("a password change on /account with the keyboard alone ends all other sessions", async ({
  page,
  member,
  startSession,
  sessionOf,
  openSessions,
}) => {
  expectConsoleError("400");
  await sessionOf(member);
  await startSession(member);
  const { press, write } = await keyboardUser(page);
  await page.goto("/account");
  const current = page.getByLabel(passwordWords.current, { exact: true });
  await write(current, "not this one");
  await write(page.getByLabel(passwordWords.label, { exact: true }), newPassword);
  await press(page.getByRole("button", { name: passwordWords.submit }));
  await expect(page.getByText("That is not your current password.")).toBeFocused();

  await write(current, member.password);
  await press(page.getByRole("button", { name: passwordWords.submit }));
  await expect(page.getByText(accountWords.password.saved)).toBeFocused();
  await expect(current).toHaveValue("");
  expect(await openSessions(member.email)).toHaveLength(1);
  await sessionOf({ email: member.email, password: newPassword });
});

test("with the keyboard alone, a user can end one other session, then all other sessions", async ({
  page,
  member,
  logIn,
  sessionOf,
  openSessions,
}) => {
  for (const _ of ["a laptop", "a tablet", "a phone"]) await sessionOf(member);
  await logIn(member);
  const { length } = await openSessions(member.email);
  const { press } = await keyboardUser(page);
  await page.goto("/account");
  await expect(page.getByText(words.here, { exact: true })).toHaveCount(1);
  const device = await page.evaluate(() => navigator.userAgent);
  await expect(page.getByText(deviceNameOf(device))).toBeVisible();
  const endings = page.getByRole("button", { name: words.endWhich(deviceNameOf("node")) });
  await press(endings.first());
  await expect(page.getByText(words.ended)).toBeFocused();
  expect(await openSessions(member.email)).toHaveLength(length - 1);

  await press(page.getByRole("button", { name: words.endOthers }));
  await expect(page.getByText(words.othersEnded)).toBeFocused();
  await expect(endings).toHaveCount(0);
  await expect(page.getByRole("button", { name: words.endOthers })).toHaveCount(0);
  expect(await openSessions(member.email)).toHaveLength(1);
});

test("with the keyboard alone, a user asks for another email address, and both addresses get a link", async ({
  page,
  member,
  startSession,
  linkFor,
}) => {
  const email = accountWords.email;
  await startSession(member);
  const { press, write } = await keyboardUser(page);
  await page.goto("/account");
  await write(page.getByLabel(email.label), member.email);
  await press(page.getByRole("button", { name: email.submit }));
  await expect(page.getByText(email.same)).toBeFocused();
  const newEmail = `new-${member.email}`;
  await write(page.getByLabel(email.label), newEmail);
  await press(page.getByRole("button", { name: email.submit }));
  await expect(page.getByText(email.sent)).toBeFocused();
  await expect(page.getByText(email.waiting(newEmail, member.email))).toBeVisible();
  await expect(page.getByLabel(email.label)).toHaveValue("");
  for (const address of [member.email, newEmail]) expect(await linkFor(address)).toContain("type=email_change");
});

test("a sign-out on one device keeps the account's sessions on other devices", async ({
  page,
  member,
  startSession,
  sessionOf,
  openSessions,
}) => {
  await sessionOf(member);
  const others = await openSessions(member.email);
  await startSession(member);
  await page.goto("/account");
  // Wait until the list of sessions is loaded. Otherwise the server could refuse the request for the list after the
  // sign-out, and the console error would fail the test.
  await expect(page.getByText(words.here, { exact: true })).toBeVisible();
  await page.getByRole("button", { name: words.logOutHere }).click();
  await expect(page).toHaveURL("/auth");
  expect(await openSessions(member.email)).toEqual(others);
  await page.goto("/account");
  await expect(page).toHaveURL("/auth");
});

test("the account page requests and shows the audit list only for an admin", async ({
  page,
  member,
  setAdmin,
  startSession,
}) => {
  const auditRequests: string[] = [];
  page.on("request", (request) => request.url().endsWith("/audit") && auditRequests.push(request.url()));
  await startSession(member);
  await page.goto("/account");
  await expect(page.getByRole("heading", { name: words.title })).toBeVisible();
  await expect(page.getByRole("heading", { name: accountWords.audit.title })).toBeHidden();
  expect(auditRequests).toEqual([]);

  await setAdmin(member.email, true);
  await page.reload();
  const entry = page.getByRole("listitem").filter({ hasText: auditWords.login }).filter({ hasText: member.email });
  await expect(entry.first()).toContainText(accountWords.audit.from(auditWords.login ?? "", placeWords.sameMachine));
  await expect(entry.first().getByRole("time")).toContainText(`${new Date().getFullYear()}`);
});

test("the account page needs a session, has its own metadata and is accessible", async ({
  page,
  admin,
  startSession,
}) => {
  await page.goto("/account");
  await expect(page).toHaveURL("/auth");
  await page.setViewportSize({ width: 360, height: 740 });
  await startSession(admin);
  await page.goto("/admin/contacts");
  await page
    .getByRole("banner")
    .getByRole("link", { name: workLinks[1]?.label ?? "", exact: true })
    .click();
  await expect(page).toHaveTitle(account.title);
  await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", `${siteUrl}/account`);
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
  await page.getByRole("heading", { name: accountWords.audit.title }).waitFor();
  await expectNoAccessibilityProblems(page, { widths: [360] });
  expect(await findTextProblems(page)).toEqual([]);
  expect(await smallTargets(page)).toEqual([]);
  await page.getByRole("banner").getByRole("link", { name: inboxLink.label }).click();
  await expect(page).toHaveURL("/admin/contacts");
});
