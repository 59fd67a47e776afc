import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { authWords, codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { flashMessages } from "#content/flash-message";
import { inboxWords } from "#content/inbox";
import { authMessages, contactMessages, inboxMessages } from "#content/messages";
import { expect } from "./support/accounts.ts";
import { openContactForm } from "./support/fixtures.ts";
import { test } from "./support/stalling-proxy.ts";

/** A little more than a call may take (site/supabase/limit.ts). */
const limit = 15_100;
/** The same for ending a session before the page goes on (site/supabase/sign-out.ts). */
const endLimit = 3_100;

const backend = /\/(auth|rest)\/v1\//;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const notAnswered = () => {};

test.beforeEach(({ page }) => page.clock.install());

test("a contact is told as not sent, stays in the form, and a second try stores it once", async ({
  page,
  server,
  draft,
  fillIn,
  storedFrom,
}) => {
  await page.goto(server.url);
  await openContactForm(page);
  await fillIn(draft);
  await page.waitForLoadState("networkidle");
  const sent = page.waitForRequest("**/rest/v1/contacts");
  server.stall();
  await button(page, contactWords.send).click();
  await sent;
  await expect(button(page, contactWords.sending)).toBeDisabled();
  await page.clock.fastForward(limit);
  await expect(page.getByText(contactMessages.notSent)).toBeVisible();
  await expect(page.getByLabel(authWords.email)).toHaveValue(draft.email);
  await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();

  server.resume();
  await button(page, contactWords.send).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("a library that does not arrive is waited for no longer than an answer", async ({
  page,
  server,
  draft,
  fillIn,
}) => {
  await page.goto(server.url, { waitUntil: "networkidle" });
  await openContactForm(page);
  server.stall();
  await fillIn(draft);
  await button(page, contactWords.send).click();
  await expect(button(page, contactWords.sending)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(contactMessages.notSent)).toBeVisible();
  await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(draft.name);

  server.resume();
  await button(page, contactWords.send).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
});

for (const [mode, message] of [
  ["login", authMessages.notLoggedIn],
  ["signup", authMessages.notSignedUp],
] as const) {
  test(`the ${mode} ends with “${message}”, and the form stays filled`, async ({ page, server, stranger }) => {
    await page.goto(`${server.url}/auth`, { waitUntil: "networkidle" });
    if (mode === "signup") await button(page, authWords.login.toggle).click();
    await page.getByLabel(authWords.email).fill(stranger.email);
    await page.getByLabel(authWords.password).fill(stranger.password);
    server.stall();
    await button(page, authWords[mode].submit).click();
    await expect(button(page, authWords[mode].busy)).toBeDisabled();
    await page.clock.fastForward(limit);
    await expect(page.getByText(message)).toBeFocused();
    await expect(page.getByLabel(authWords.email)).toHaveValue(stranger.email);
    await expect(page.getByLabel(authWords.password)).toHaveValue(stranger.password);
  });
}

test("asking for a mail, a code, a link and a new password end with words of their own", async ({
  page,
  server,
  member,
  sessionOf,
}) => {
  const session = await sessionOf(member);
  await page.goto(`${server.url}/auth`, { waitUntil: "networkidle" });
  await page.route(backend, notAnswered);
  await page.getByLabel(authWords.email).fill(member.email);
  await button(page, mailWords.forgot).click();
  await button(page, mailWords.send).click();
  await expect(button(page, mailWords.sending)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(mailWords.notSent)).toBeFocused();

  await button(page, authWords.backToLogin).click();
  await button(page, codeWords.have).click();
  await page.getByLabel(codeWords.label).fill("123456");
  await button(page, codeWords.submit).click();
  await expect(button(page, codeWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(linkWords.failed)).toBeFocused();
  await expect(page.getByLabel(codeWords.label)).toHaveValue("123456");

  await page.goto(`${server.url}/auth#token_hash=abc&type=signup`);
  await button(page, linkWords.signup.button).click();
  await expect(button(page, linkWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(linkWords.failed)).toBeFocused();

  await keep(page, session);
  await page.goto(`${server.url}/auth#new-password`);
  await page.getByLabel(passwordWords.label, { exact: true }).fill("four unrelated garden birds");
  await button(page, passwordWords.submit).click();
  await expect(button(page, passwordWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(passwordWords.failed)).toBeFocused();
  await expect(page.getByLabel(passwordWords.label, { exact: true })).toHaveValue("four unrelated garden birds");
});

test("the link of an old mail says that it takes a moment, and then that it did not log in", async ({
  page,
  server,
  member,
  sessionOf,
}) => {
  const { access_token: access, refresh_token: refresh } = JSON.parse(await sessionOf(member));
  await page.route(backend, notAnswered);
  await page.goto(`${server.url}/#access_token=${access}&refresh_token=${refresh}&type=signup`);
  await expect(page.getByText(linkWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(flashMessages.notTaken)).toBeFocused();
});

for (const what of ["valid", "expired"] as const) {
  test(`the inbox of a session that is ${what} ends with “${inboxMessages.notLoaded}”, and can be tried again`, async ({
    page,
    server,
    admin,
    sessionOf,
  }) => {
    const session = await sessionOf(admin);
    await page.goto(`${server.url}/terms-of-service`);
    await keep(page, what === "valid" ? session : expired(session));
    await page.route(backend, notAnswered);
    const asked = page.waitForRequest(backend);
    await page.goto(`${server.url}/admin/contacts`);
    await asked;
    await expect(page.getByText(inboxMessages.loading)).toBeVisible();
    await page.clock.fastForward(limit);
    await expect(page.getByRole("alert")).toHaveText(inboxMessages.notLoaded);

    await page.unroute(backend);
    // The library makes up to two tries in half a minute to renew a session, and then waits for a minute.
    if (what === "expired") await page.reload();
    else await button(page, inboxWords.tryAgain).click();
    await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
  });
}

test("the account page says what is still loading, what was not loaded, and what was not ended", async ({
  page,
  server,
  admin,
  sessionOf,
}) => {
  await sessionOf(admin);
  const session = await sessionOf(admin);
  await page.goto(`${server.url}/terms-of-service`);
  await keep(page, session);
  const lists = /\/auth\/v1\/(sessions|audit)/;
  await page.route(lists, notAnswered);
  await page.goto(`${server.url}/account`);
  await expect(page.getByText(accountWords.loading)).toHaveCount(2);
  await page.clock.fastForward(limit);
  await expect(page.getByRole("alert")).toHaveText([accountWords.failed, accountWords.failed]);
  await page.unroute(lists);
  for (const left of [1, 0]) {
    await button(page, accountWords.tryAgain).first().click();
    await expect(page.getByRole("alert")).toHaveCount(left);
  }

  await page.route(lists, notAnswered);
  await page
    .getByRole("button", { name: /^End the session/ })
    .first()
    .click();
  await expect(button(page, accountWords.sessions.ending)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(accountWords.sessions.notEnded)).toBeFocused();
});

test("trying failed deliveries again ends too", async ({ page, server, admin, sessionOf }) => {
  const session = await sessionOf(admin);
  await page.goto(`${server.url}/terms-of-service`);
  await keep(page, session);
  const failing = { kind: "mail", reason: "No.", failing_since: new Date().toISOString(), gave_up: true };
  await page.route(/\/delivery_failures\?/, (route) => route.fulfill({ json: [failing] }));
  await page.route(/\/rpc\/retry_deliveries/, notAnswered);
  await page.goto(`${server.url}/admin/contacts`);
  await button(page, inboxWords.tryAgain).click();
  await expect(button(page, inboxWords.deliveries.trying)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(inboxWords.deliveries.notTried)).toBeVisible();
  await expect(button(page, inboxWords.tryAgain)).toBeVisible();
});

test.describe("Logout", () => {
  const openInbox = async (page: Page, url: string, session: string) => {
    await page.goto(`${url}/terms-of-service`);
    await keep(page, session);
    await page.goto(`${url}/admin/contacts`);
    await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
  };

  test("empties the storage at once, goes on after three seconds, and another tab hears of it", async ({
    page,
    context,
    server,
    admin,
    sessionOf,
    openSessions,
  }) => {
    await openInbox(page, server.url, await sessionOf(admin));
    const other = await context.newPage();
    await other.goto(`${server.url}/account`);
    await expect(other.getByText(accountWords.signedInAs(admin.email))).toBeVisible();

    // Playwright cannot turn the clock of a page whose navigation hangs.
    await context.route("**/auth", (route) => route.fulfill({ contentType: "text/html", body: "The login" }));
    server.stall();
    await button(page, inboxWords.logout).click();
    await expect(page.getByText(inboxMessages.loading)).toBeVisible();
    expect(await storedKeys(page)).toEqual([]);
    await expect(other).toHaveURL(`${server.url}/auth`);
    await expect(page).toHaveURL(`${server.url}/admin/contacts`);
    await page.clock.fastForward(endLimit);
    await expect(page).toHaveURL(`${server.url}/auth`);
    server.resume();
    await expect.poll(() => openSessions(admin.email)).toEqual([]);
  });

  test("ends the sessions on the server although its tab was closed at once", async ({
    page,
    context,
    server,
    admin,
    sessionOf,
    openSessions,
  }) => {
    await openInbox(page, server.url, await sessionOf(admin));
    server.stall("unplugged");
    await button(page, inboxWords.logout).click();
    expect(await storedKeys(page)).toEqual([]);
    await page.close();
    // By the time another page is there, the browser has given up what belonged to the closed one.
    await (await context.newPage()).goto("/humans.txt");
    server.resume();
    await expect.poll(() => openSessions(admin.email)).toEqual([]);
  });

  test("renews a token that is over, in memory, because it could not sign out", async ({
    page,
    server,
    admin,
    sessionOf,
    openSessions,
  }) => {
    const session = await sessionOf(admin);
    await openInbox(page, server.url, session);
    const calls: string[] = [];
    page.on("request", (request) => request.method() === "POST" && calls.push(request.url().split("/v1/")[1] ?? ""));
    await keep(page, expired(session));
    await button(page, inboxWords.logout).click();
    await expect(page).toHaveURL(`${server.url}/auth`);
    expect(calls).toEqual(["token?grant_type=refresh_token", "logout?scope=global"]);
    expect(await storedKeys(page)).toEqual([]);
    expect(await openSessions(admin.email)).toEqual([]);
  });

  test("of this device alone does not wait either", async ({ page, server, admin, sessionOf, openSessions }) => {
    await sessionOf(admin);
    await openInbox(page, server.url, await sessionOf(admin));
    await page.goto(`${server.url}/account`);
    await expect(page.getByText(accountWords.signedInAs(admin.email))).toBeVisible();
    const { length } = await openSessions(admin.email);
    await page.route("**/auth", (route) => route.fulfill({ contentType: "text/html", body: "The login" }));
    server.stall();
    await button(page, accountWords.sessions.signOutHere).click();
    expect(await storedKeys(page)).toEqual([]);
    await page.clock.fastForward(endLimit);
    await expect(page).toHaveURL(`${server.url}/auth`);
    server.resume();
    await expect.poll(() => openSessions(admin.email)).toHaveLength(length - 1);
  });
});

test("before a login all stored auth data goes, old names included, and its sign-out is not waited for long", async ({
  page,
  server,
  member,
  sessionOf,
}) => {
  const left = await sessionOf(member);
  await page.goto(`${server.url}/auth`, { waitUntil: "networkidle" });
  await page.getByLabel(authWords.email).fill(member.email);
  await page.getByLabel(authWords.password).fill(member.password);
  await keep(page, left);
  await page.evaluate(() => {
    localStorage.setItem("supabase.auth.token", "{}");
    localStorage.setItem("sb-old-auth-token-code-verifier", "abc");
    sessionStorage.setItem("supabase.auth.token", "{}");
    sessionStorage.setItem("sb-localhost-auth-token", "{}");
    localStorage.setItem("kept", "by someone else");
  });
  await page.route("**/auth/v1/logout*", notAnswered);
  const asked = page.waitForRequest("**/auth/v1/logout?scope=global");
  await button(page, authWords.login.submit).click();
  await asked;
  expect(await storedKeys(page)).toEqual(["kept"]);
  await page.clock.fastForward(endLimit);
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
  expect(await storedKeys(page)).toEqual(["kept", "sb-localhost-auth-token"]);
});

/** As the client stores it. */
function keep(page: Page, session: string): Promise<void> {
  return page.evaluate((stored) => localStorage.setItem("sb-localhost-auth-token", stored), session);
}

function expired(session: string): string {
  return JSON.stringify({ ...JSON.parse(session), expires_at: Math.floor(Date.now() / 1000) - 60 });
}

function storedKeys(page: Page): Promise<string[]> {
  return page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());
}
