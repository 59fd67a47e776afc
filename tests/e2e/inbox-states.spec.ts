import { inboxWords, workWords } from "#content/inbox";
import { libraryAdvice } from "#content/library-advice";
import { inboxMessages } from "#content/messages";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/accounts.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { listCall } from "./support/inbox.ts";

/** The tests answer these requests themselves, because a working server gives errors and empty lists too rarely. */
const newsCall = /\/rest\/v1\/rpc\/inbox_news/;

const listOfOne = {
  json: [
    {
      id: "1",
      name: "Bea Wren",
      company: "Wren & Sons of a Rather Long Name, Limited",
      email: "bea.wren@a-rather-long-domain.example.com",
      interest: "consulting",
      state: "new",
      submitted_at: "2025-11-20T23:51:07.123456+00:00",
    },
  ],
  headers: { "content-range": "0-0/1" },
};

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("the inbox shows a message while the contacts are loading", async ({ page }) => {
  await page.clock.install();
  await page.route(listCall, () => {});
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.loading)).toBeVisible();
  await expect(page.getByText(inboxWords.slow)).toBeHidden();
  await expect(async () => {
    await page.clock.fastForward("00:01");
    await expect(page.getByText(inboxWords.slow)).toBeVisible({ timeout: 200 });
  }).toPass();
});

test("after 'Invalid JWT signature' the inbox and the account page say what to do", async ({ page }) => {
  await page.goto("/terms-of-service");
  await page.evaluate(() => {
    const key = Object.keys(localStorage).find((name) => name.startsWith("sb-")) ?? "";
    const session = JSON.parse(localStorage.getItem(key) ?? "");
    const [header, payload, signature] = session.access_token.split(".");
    const token = [header, payload, [...signature].reverse().join("")].join(".");
    localStorage.setItem(key, JSON.stringify({ ...session, access_token: token }));
  });
  for (const path of ["/admin/contacts", "/account"]) {
    await page.goto(path);
    await expect(page.getByRole("alert")).toContainText("Invalid JWT signature");
    await expect(page.getByText(libraryAdvice["Invalid JWT signature"] ?? "")).toBeVisible();
  }
});

test("the inbox shows why loading failed, then loads contacts that fit on a phone", async ({ page }) => {
  expectConsoleError("Failed to load resource");
  for (const [name, answer, message] of [
    ["a refusal", { status: 403, json: { code: "42501", message: "permission denied" } }, inboxMessages.refused],
    ["an error with a message", { status: 400, json: { code: "P0001", message: "Not today." } }, "Not today."],
    ["a page of a firewall", { status: 403, body: "<html>Forbidden</html>" }, inboxMessages.notLoaded],
    ["the JSON of a firewall", { status: 403, json: { code: 1020, message: "Denied." } }, inboxMessages.notLoaded],
    ["an empty page of a firewall", { status: 404, body: "" }, inboxMessages.notLoaded],
    ["an error page of a proxy", { status: 502, body: "<html>Bad Gateway</html>" }, inboxMessages.notLoaded],
  ] as const) {
    await test.step(name, async () => {
      await page.route(listCall, (route) => route.fulfill(answer));
      await page.goto("/admin/contacts");
      await expect(page.getByRole("alert")).toHaveText(message);

      await page.route(listCall, (route) => route.fulfill(listOfOne));
      await page.getByRole("button", { name: inboxWords.tryAgain }).click();
      await expect(page.getByRole("row", { name: "bea.wren@" })).toBeVisible();
    });
  }
  await expectNoAccessibilityProblems(page, { dark: true });
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoAccessibilityProblems(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
});

test("a firewall that refuses changes leaves the list, and is not taken for a missing permission", async ({ page }) => {
  expectConsoleError("Failed to load resource");
  await page.route(listCall, (route) => route.fulfill(listOfOne));
  await page.goto("/admin/contacts");
  const row = page.getByRole("row", { name: "bea.wren@" });
  for (const answer of [
    { status: 403, body: "<html>Forbidden</html>" },
    { status: 404, body: "" },
    { status: 405, json: { code: 405, message: { text: "Not allowed." } } },
  ]) {
    await page.route(/\/rest\/v1\/contacts\?/, (route) =>
      route.request().method() === "PATCH" ? route.fulfill(answer) : route.fallback(),
    );
    await row.getByRole("link").first().focus();
    await page.keyboard.press("e");
    await expect(page.getByText(workWords.outcome.failed).first()).toBeVisible();
    await expect(row).toBeVisible();
  }
  await expect(page.getByText(inboxMessages.refused)).toHaveCount(0);
});

test("a firewall that refuses to renew a session does not end it", async ({ page }) => {
  expectConsoleError("Failed to load resource");
  await page.route(listCall, (route) => route.fulfill({ status: 401, json: { code: "PGRST303", message: "Late." } }));
  await page.route(/\/auth\/v1\/token/, (route) => route.fulfill({ status: 403, json: { message: "Blocked." } }));
  await page.goto("/admin/contacts");
  await expect(page.getByRole("alert")).toHaveText("Late.");
  await page.unroute(listCall);
  await page.getByRole("button", { name: inboxWords.tryAgain }).click();
  await expect(page.getByRole("button", { name: inboxWords.more })).toBeVisible();
});

test("an empty inbox says that there are no contacts yet, or that none is waiting", async ({ page }) => {
  let newest: string | null = null;
  await page.route(newsCall, (route) => route.fulfill({ json: { unread: 0, newest_at: newest, revision: 1 } }));
  await page.route(listCall, (route) => route.fulfill({ json: [] }));
  await page.goto("/admin/contacts");
  await expect(page.getByText(inboxMessages.empty)).toBeVisible();
  await expectNoAccessibilityProblems(page);
  newest = "2025-11-20T23:51:07+00:00";
  await page.reload();
  await expect(page.getByText(inboxWords.done.title)).toBeVisible();
  await page.goto("/admin/contacts?state=archived");
  await expect(page.getByText(inboxWords.nothing.here(inboxWords.states.archived))).toBeVisible();
});

test("without a database or connection the inbox keeps its list and reads again", async ({ page, context }) => {
  expectConsoleError("Failed to load resource");
  await page.clock.install();
  await page.route(listCall, (route) => route.fulfill({ status: 503, json: {} }));
  await page.goto("/admin/contacts");
  await expect(async () => {
    await page.clock.fastForward("00:02");
    await expect(page.getByText(inboxMessages.notLoaded)).toBeVisible({ timeout: 200 });
  }).toPass();
  await page.route(listCall, (route) => route.abort());
  // The client library repeats the request for seven seconds, which the clock of the page skips.
  await expect(async () => {
    await page.clock.fastForward("00:05");
    await expect(page.getByText(inboxWords.unanswered)).toBeVisible({ timeout: 200 });
  }).toPass();
  await expectNoAccessibilityProblems(page);
  await page.route(listCall, (route) => route.fulfill(listOfOne));
  await page.clock.fastForward("00:11");
  const row = page.getByRole("row", { name: "bea.wren@" });
  await expect(row).toBeVisible();

  await context.setOffline(true);
  const notice = page.getByText(inboxWords.offline("").trim());
  await expect(notice).toBeVisible();
  await expect(row).toBeVisible();
  await expectNoAccessibilityProblems(page);
  // Without a list, there is no time at which it was read.
  await page.unroute(listCall);
  await page.getByRole("searchbox").fill("wren");
  await expect(async () => {
    await page.clock.fastForward("00:05");
    await expect(page.getByText(inboxWords.unanswered)).toBeVisible({ timeout: 200 });
  }).toPass();
  await expect(notice).toHaveCount(0);
  await page.goBack();
  await expect(notice).toBeVisible();
  const again = page.waitForRequest(listCall);
  await context.setOffline(false);
  await again;
  await expect(notice).toHaveCount(0);
});
