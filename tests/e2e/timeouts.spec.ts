import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { authWords, codeWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { flashMessages } from "#content/flash-message";
import { inboxWords } from "#content/inbox";
import { authMessages, contactMessages, inboxMessages } from "#content/messages";
import { deviceNameOf } from "#server/auth/sessions/device-name";
import { expect, expireSession, storeSession } from "./support/accounts.ts";
import { openContactForm } from "./support/fixtures.ts";
import { test } from "./support/stalling-proxy.ts";

/** A little more than the time limit of a call (docs/specification.md#time-limit-of-a-call), in milliseconds. */
const limit = 15_100;

const backend = /\/(auth|rest)\/v1\//;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const notAnswered = () => {};

test.beforeEach(({ page }) => page.clock.install());

test("a contact without a response stays in the form; a second attempt stores the contact once", async ({
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

test("the contact form shows an error at the time limit if the Supabase client does not load", async ({
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
  test(`a ${mode} request without a response shows an error, and the form stays filled`, async ({
    page,
    server,
    stranger,
  }) => {
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

test("/auth shows an error if a mail request, code, link or new password gets no response", async ({
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
  await page.getByLabel(passwordWords.label, { exact: true }).fill("four unrelated garden birds");
  await button(page, codeWords.submit).click();
  await expect(button(page, codeWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(linkWords.failed)).toBeFocused();
  await expect(page.getByLabel(codeWords.label)).toHaveValue("123456");

  await page.goto(`${server.url}/auth#token_hash=abc&type=signup`);
  await page.getByLabel(passwordWords.label, { exact: true }).fill("four unrelated garden birds");
  await button(page, linkWords.signup.button).click();
  await expect(button(page, linkWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(linkWords.failed)).toBeFocused();

  await storeSession(page, session);
  await page.goto(`${server.url}/auth#new-password`);
  await page.getByLabel(passwordWords.label, { exact: true }).fill("four unrelated garden birds");
  await button(page, passwordWords.submit).click();
  await expect(button(page, passwordWords.busy)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(passwordWords.failed)).toBeFocused();
  await expect(page.getByLabel(passwordWords.label, { exact: true })).toHaveValue("four unrelated garden birds");
});

test("the page for a URL with tokens shows progress, then an error if no response comes", async ({
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

for (const state of ["valid", "expired"] as const) {
  test(`the inbox shows an error and can be retried if no response comes (${state} session)`, async ({
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

test("/account shows progress, then errors if the server does not respond", async ({
  page,
  server,
  admin,
  sessionOf,
}) => {
  await sessionOf(admin);
  const session = await sessionOf(admin);
  await page.goto(`${server.url}/terms-of-service`);
  await storeSession(page, session);
  const lists = /\/auth\/v1\/(sessions|audit)/;
  await page.route(lists, notAnswered);
  await page.goto(`${server.url}/account`);
  await expect(page.getByText(accountWords.loading)).toHaveCount(2);
  await page.clock.fastForward(limit);
  await expect(page.getByRole("alert")).toHaveText([accountWords.failed, accountWords.failed]);
  await page.unroute(lists);
  for (const alertsLeft of [1, 0]) {
    await button(page, accountWords.tryAgain).first().click();
    await expect(page.getByRole("alert")).toHaveCount(alertsLeft);
  }

  await page.route(lists, notAnswered);
  await page
    .getByRole("button", { name: accountWords.sessions.endWhich(deviceNameOf("node")) })
    .first()
    .click();
  await expect(button(page, accountWords.sessions.ending)).toBeVisible();
  await page.clock.fastForward(limit);
  await expect(page.getByText(accountWords.sessions.notEnded)).toBeFocused();
});

test("the inbox shows an error if a retry of failed deliveries gets no response", async ({
  page,
  server,
  admin,
  sessionOf,
}) => {
  const session = await sessionOf(admin);
  await page.goto(`${server.url}/terms-of-service`);
  await storeSession(page, session);
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
