import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { authWords, codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { authMessages, contactMessages, inboxMessages } from "#content/messages";
import { outcomeWords } from "#content/outcomes";
import { expect, expireSession, sessionKey, storeSession } from "./support/accounts.ts";
import { button, submitLogin } from "./support/auth-forms.ts";
import { openContactForm } from "./support/fixtures.ts";
import { openUntilQuiet } from "./support/loading.ts";
import { test } from "./support/stalling-proxy.ts";

/** A little more than the time limit of a call (docs/specification.md#time-limit-of-a-call), in milliseconds. */
const limit = 15_100;
/** A little longer than the page waits for the answer to a sign-out (docs/specification.md#logout), in milliseconds. */
const signOutLimit = 3_100;

const newPassword = "four unrelated garden birds";
const backend = /\/(auth|rest)\/v1\//;
const notAnswered = () => {};

test.beforeEach(({ page }) => page.clock.install());

test("a contact without a response stays in the form, and is stored once", async ({
  page,
  server,
  draft,
  fillIn,
  storedFrom,
}) => {
  await openUntilQuiet(page, server.url);
  await openContactForm(page);
  await fillIn(draft);
  server.stall();
  await button(page, contactWords.send).click();
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

test("no form of /auth waits for ever for a response", async ({ page, server, member, sessionOf }) => {
  const session = await sessionOf(member);
  const password = page.getByLabel(passwordWords.label, { exact: true });
  const unanswered = async (busy: string, message: string) => {
    await expect(button(page, busy)).toBeDisabled();
    await page.clock.fastForward(limit);
    await expect(page.getByText(message)).toBeFocused();
  };
  await openUntilQuiet(page, `${server.url}/auth`);
  server.stall();
  await submitLogin(page, member);
  await unanswered(authWords.login.busy, authMessages.notLoggedIn);
  await expect(page.getByLabel(authWords.password)).toHaveValue(member.password);
  await button(page, authWords.login.toggle).click();
  await button(page, authWords.signup.submit).click();
  await unanswered(authWords.signup.busy, authMessages.notSignedUp);
  await expect(page.getByLabel(authWords.email)).toHaveValue(member.email);
  await button(page, authWords.signup.toggle).click();
  await button(page, mailWords.forgot).click();
  await button(page, mailWords.send).click();
  await unanswered(mailWords.sending, mailWords.notSent);
  await button(page, authWords.backToLogin).click();
  await button(page, codeWords.have).click();
  await page.getByLabel(codeWords.label).fill("123456");
  await password.fill(newPassword);
  await button(page, codeWords.submit).click();
  await unanswered(codeWords.busy, linkWords.failed);
  await expect(page.getByLabel(codeWords.label)).toHaveValue("123456");
  server.resume();

  await page.route(backend, notAnswered);
  await page.goto(`${server.url}/auth#token_hash=abc&type=signup`);
  await password.fill(newPassword);
  await button(page, linkWords.signup.button).click();
  await unanswered(linkWords.busy, linkWords.failed);

  await storeSession(page, session);
  await page.evaluate(() => window.history.replaceState({ step: { at: "password", error: "" } }, ""));
  await page.reload();
  await expect(password).toBeFocused();
  await password.fill(newPassword);
  await button(page, passwordWords.submit).click();
  await unanswered(passwordWords.busy, passwordWords.failed);
  await expect(password).toHaveValue(newPassword);
});

test("tokens in a URL show progress, then an error", { tag: "@rare" }, async ({ page, server, member, sessionOf }) => {
  const { access_token: access, refresh_token: refresh } = JSON.parse(await sessionOf(member));
  await page.route(backend, notAnswered);
  await page.goto(`${server.url}/#access_token=${access}&refresh_token=${refresh}&type=signup`);
  await expect(page.getByText(linkWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(outcomeWords.unanswered)).toBeFocused();
});

for (const state of ["valid", "expired"] as const) {
  test(`the inbox shows an error and retries (${state} session)`, { tag: state === "expired" ? "@rare" : [] }, async ({
    page,
    server,
    admin,
    sessionOf,
  }) => {
    const session = await sessionOf(admin);
    await page.goto(`${server.url}/terms-of-service`);
    await storeSession(page, state === "valid" ? session : expireSession(session));
    await page.route(backend, notAnswered);
    const request = page.waitForRequest(backend);
    await page.goto(`${server.url}/admin/contacts`);
    await request;
    await expect(page.getByText(inboxMessages.loading)).toBeVisible();
    await page.clock.fastForward(limit);
    await expect(page.getByRole("alert")).toHaveText(inboxMessages.notLoaded);

    await page.unroute(backend);
    // The client library tries twice within half a minute to renew an expired session and then waits for a minute.
    // After a reload it tries at once.
    if (state === "expired") await page.reload();
    else await button(page, inboxWords.tryAgain).click();
    await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
  });
}

test("/account shows progress, then errors without a response", { tag: "@rare" }, async ({
  page,
  server,
  admin,
  sessionOf,
}) => {
  await sessionOf(admin);
  const session = await sessionOf(admin);
  await page.goto(`${server.url}/terms-of-service`);
  await storeSession(page, session);
  await page.route(backend, notAnswered);
  const request = page.waitForRequest(backend);
  await page.goto(`${server.url}/account`);
  await request;
  await expect(page.getByText(accountWords.loading).first()).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByRole("alert")).toHaveText(accountWords.failed);
  await page.unroute(backend);
  await button(page, accountWords.tryAgain).click();
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("a logout without a response clears the storage at once and redirects after 3 s", async ({
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
  await page.evaluate(() => localStorage.setItem("supabase.auth.token", "{}"));
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

test("a logout survives the closing of its tab", { tag: "@rare" }, async ({
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

test("a logout renews an expired token, and stores none", { tag: "@rare" }, async ({
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

test("a login clears old auth data, and waits at most 3 s", async ({ page, server, member, sessionOf }) => {
  const oldSession = await sessionOf(member);
  await openUntilQuiet(page, `${server.url}/auth`);
  // With a stored session, the page would redirect as soon as a field gets the focus.
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
  await page.route("**/auth/v1/logout*", notAnswered);
  const calls: string[] = [];
  page.on("request", (request) => request.method() === "POST" && calls.push(new URL(request.url()).pathname));
  const signOut = page.waitForRequest("**/auth/v1/logout?scope=global");
  await button(page, authWords.login.submit).click();
  await signOut;
  expect(await storedKeys(page)).toEqual(["other-program"]);
  expect(calls).toEqual(["/auth/v1/logout"]);
  await page.clock.fastForward(signOutLimit);
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
  expect(calls.slice(0, 2)).toEqual(["/auth/v1/logout", "/auth/v1/token"]);
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
