import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { authWords } from "#content/auth";
import { inboxWords } from "#content/inbox";
import { authMessages, inboxMessages } from "#content/messages";
import { expect, expireSession, sessionKey, storeSession } from "./support/accounts.ts";
import { test } from "./support/stalling-proxy.ts";

/** A little longer than the page waits for the answer to a sign-out (docs/specification.md#logout), in milliseconds. */
const signOutLimit = 3_100;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

test.beforeEach(({ page }) => page.clock.install());

test("a logout without a response clears browser storage immediately and redirects after 3 s", async ({
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
  await expect(other.getByText(`${accountWords.loggedInAs} ${admin.email}`)).toBeVisible();

  // The test answers /auth itself: Playwright cannot move a page's clock forward while the page waits for the response
  // to a navigation.
  await context.route("**/auth", (route) => route.fulfill({ contentType: "text/html", body: "The login" }));
  server.stall();
  await button(page, inboxWords.logout).click();
  await expect(page.getByText(inboxMessages.loading)).toBeVisible();
  expect(await storedKeys(page)).toEqual([]);
  await expect(other).toHaveURL(`${server.url}/auth`);
  await expect(page).toHaveURL(`${server.url}/admin/contacts`);
  await page.clock.fastForward(signOutLimit);
  await expect(page).toHaveURL(`${server.url}/auth`);
  server.resume();
  await expect.poll(() => openSessions(admin.email)).toEqual([]);
});

test("a logout ends the sessions on the server even if the tab is closed immediately", async ({
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
  // Wait until the browser has closed the connections of the closed tab. They are closed once a new tab has loaded a
  // page.
  await (await context.newPage()).goto("/humans.txt");
  server.resume();
  await expect.poll(() => openSessions(admin.email)).toEqual([]);
});

test("a logout renews an expired access token first, but does not store the new token", async ({
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
  await storeSession(page, expireSession(session));
  await button(page, inboxWords.logout).click();
  await expect(page).toHaveURL(`${server.url}/auth`);
  expect(calls).toEqual(["token?grant_type=refresh_token", "logout?scope=global"]);
  expect(await storedKeys(page)).toEqual([]);
  expect(await openSessions(admin.email)).toEqual([]);
});

test("if a sign-out of one device gets no response, /account redirects to /auth after 3 s", async ({
  page,
  server,
  admin,
  sessionOf,
  openSessions,
}) => {
  await sessionOf(admin);
  await openInbox(page, server.url, await sessionOf(admin));
  await page.goto(`${server.url}/account`);
  await expect(page.getByText(`${accountWords.loggedInAs} ${admin.email}`)).toBeVisible();
  const { length } = await openSessions(admin.email);
  await page.route("**/auth", (route) => route.fulfill({ contentType: "text/html", body: "The login" }));
  server.stall();
  await button(page, accountWords.sessions.logOutHere).click();
  expect(await storedKeys(page)).toEqual([]);
  await page.clock.fastForward(signOutLimit);
  await expect(page).toHaveURL(`${server.url}/auth`);
  server.resume();
  await expect.poll(() => openSessions(admin.email)).toHaveLength(length - 1);
});

test("a login removes old auth data and waits at most 3 s for the old session to end", async ({
  page,
  server,
  member,
  sessionOf,
}) => {
  const oldSession = await sessionOf(member);
  await page.goto(`${server.url}/auth`, { waitUntil: "networkidle" });
  await page.getByLabel(authWords.email).fill(member.email);
  await page.getByLabel(authWords.password).fill(member.password);
  await storeSession(page, oldSession);
  await page.evaluate(() => {
    localStorage.setItem("supabase.auth.token", "{}");
    localStorage.setItem("sb-old-auth-token-code-verifier", "abc");
    sessionStorage.setItem("supabase.auth.token", "{}");
    sessionStorage.setItem("sb-localhost-auth-token", "{}");
    localStorage.setItem("other-program", "by another program");
  });
  await page.route("**/auth/v1/logout*", () => {});
  const signOut = page.waitForRequest("**/auth/v1/logout?scope=global");
  await button(page, authWords.login.submit).click();
  await signOut;
  expect(await storedKeys(page)).toEqual(["other-program"]);
  await page.clock.fastForward(signOutLimit);
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
  expect(await storedKeys(page)).toEqual(["other-program", sessionKey]);
});

async function openInbox(page: Page, url: string, session: string) {
  await page.goto(`${url}/terms-of-service`);
  await storeSession(page, session);
  await page.goto(`${url}/admin/contacts`);
  await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
}

function storedKeys(page: Page): Promise<string[]> {
  return page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());
}
