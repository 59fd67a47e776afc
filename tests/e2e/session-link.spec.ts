import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { authWords, linkWords, mailWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { accountLink, inboxLink, login } from "#content/navigation";
import { outcomeWords } from "#content/outcomes";
import { pageProblems } from "#content/page-problems";
import { test as base, expect, sessionKey } from "./support/accounts.ts";
import { button } from "./support/auth-forms.ts";
import { expectConsoleError, holdRequests, untilIdle } from "./support/fixtures.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

interface OtherTokens {
  /** The fragment with which the API redirects after it has verified a mailed link. */
  address: string;
  /** The account that the tokens in it log in. */
  email: string;
}

const test = base.extend<{ otherTokens: OtherTokens }>({
  otherTokens: async ({ sessionOf, addMember }, use) => {
    const account = await addMember(`linked-${randomUUID()}@example.com`);
    const { access_token, refresh_token } = JSON.parse(await sessionOf(account));
    const fields = { access_token, refresh_token, expires_in: "3600", token_type: "bearer", type: "magiclink" };
    await use({ address: `#${new URLSearchParams(fields)}`, email: account.email });
  },
});

/** The account whose session the browser stores. */
function storedEmail(page: Page): Promise<string | undefined> {
  return page.evaluate((key) => JSON.parse(localStorage.getItem(key) ?? "{}").user?.email, sessionKey);
}

test("a /verify link logs in; a bad one offers a mail", async ({
  page,
  baseURL,
  stranger,
  signUp,
  linkFor,
  endMailWait,
}) => {
  await signUp(stranger);
  await linkFor(stranger.email);
  await endMailWait(stranger.email);
  await page.goto("/auth/v1/verify?token=expired&type=signup");
  await expect(page.getByText(linkWords.expired.signup)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(stranger.email);
  await page.keyboard.press("Enter");
  await expect(page.getByText(mailWords.sent.signup)).toBeVisible();

  const fields = new URLSearchParams(new URL(await linkFor(stranger.email, 2)).hash.slice(1));
  const link = `/auth/v1/verify?token=${fields.get("token_hash")}&type=signup`;
  await page.goto(link);
  await button(page, outcomeWords.logIn).click();
  await expect(page.getByText(outcomeWords.confirmed)).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/auth`);
  await page.reload();
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();
  await page.getByRole("link", { name: outcomeWords.home.label, exact: true }).last().click();
  await expect(page).toHaveURL("/");
  await page.goto(link);
  await expect(page.getByText(linkWords.expired.signup)).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/auth`);
});

test("tokens in a URL log in a person who agrees, and ask before they replace another session", async ({
  page,
  admin,
  startSession,
  otherTokens,
}) => {
  const { address, email } = otherTokens;
  for (const path of ["/", "/auth"]) {
    await page.goto(path + address);
    await expect(page.getByText(outcomeWords.otherAccount({ present: "", linked: email }))).toBeFocused();
    await expect(page).toHaveURL("/auth");
    expect(await storedEmail(page)).toBeUndefined();
    await button(page, outcomeWords.logIn).click();
    await expect(page.getByText(authMessages.loggedIn)).toBeFocused();
    expect(await storedEmail(page)).toBe(email);
    await page.evaluate(() => localStorage.clear());
  }

  await startSession(admin);
  const question = page.getByText(outcomeWords.otherAccount({ present: admin.email, linked: email }));
  for (const path of ["/account", "/no-such-page"]) {
    if (path === "/no-such-page") expectConsoleError("404");
    await page.goto(path + address);
    await expect(question).toBeFocused();
    await expect(page).toHaveURL("/auth");
    expect(await storedEmail(page)).toBe(admin.email);
  }
  await button(page, outcomeWords.decline).press("Enter");
  await expect(page).toHaveURL("/");
  await page.goto("/account");
  await expect(page.getByText(`${accountWords.loggedInAs} ${admin.email}`)).toBeVisible();

  await page.goto(`/?${address.slice(1)}`);
  await untilIdle(page);
  expect(await storedEmail(page)).toBe(admin.email);

  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto(`/${address}`);
  await button(page, outcomeWords.change).waitFor();
  await expectGoodPage(page);
  await button(page, outcomeWords.change).press("Enter");
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
  await expectGoodPage(page);
  expect(await storedEmail(page)).toBe(email);
});

test("a link that is pasted into an open page works like one that is opened", async ({ page, otherTokens }) => {
  const question = page.getByText(outcomeWords.otherAccount({ present: "", linked: otherTokens.email }));
  for (const path of ["/", "/auth"]) {
    await page.goto(path);
    await untilIdle(page);
    // Only the fragment changes, so the browser loads nothing.
    await page.evaluate((address) => window.location.assign(address), otherTokens.address);
    await expect(question).toBeFocused();
    await expect(page).toHaveURL("/auth");
    await button(page, outcomeWords.decline).click();
    await expect(page).toHaveURL("/");
  }
});

test("tokens in a URL outlive a lost script, until they are used or declined", async ({ page, otherTokens }) => {
  expectConsoleError("Failed to load resource");
  expectConsoleError("Failed to fetch dynamically imported module");
  const script = /auth-screen/;
  const question = page.getByText(outcomeWords.otherAccount({ present: "", linked: otherTokens.email }));
  await page.route(script, (route) => route.abort());
  await page.goto(`/${otherTokens.address}`);
  await expect(page.getByText(pageProblems.notLoaded)).toBeVisible();
  await expect(page).toHaveURL("/auth");
  await page.unroute(script);
  await button(page, pageProblems.reload).click();
  await expect(question).toBeFocused();

  await page.route("**/auth/v1/user", (route) => route.abort());
  await page.reload();
  await expect(page.getByText(outcomeWords.unanswered)).toBeFocused();
  await page.unroute("**/auth/v1/user");
  await button(page, outcomeWords.reload).click();
  await expect(question).toBeFocused();
  await button(page, outcomeWords.decline).click();
  await expect(page).toHaveURL("/");
  await page.goto("/auth");
  await expect(button(page, authWords.login.submit)).toBeEnabled();
  await expect(question).toBeHidden();
  expect(await storedEmail(page)).toBeUndefined();
});

test("while tokens in a URL log in, the page says so and takes no second press", async ({ page, otherTokens }) => {
  await page.goto(`/${otherTokens.address}`);
  const logIn = button(page, outcomeWords.logIn);
  await expect(logIn).toBeVisible();
  const release = await holdRequests(page, "**/auth/v1/user");
  await logIn.click();
  await expect(page.getByText(linkWords.busy)).toBeVisible();
  await expect(logIn).toBeHidden();
  release();
  await expect(page.getByText(authMessages.loggedIn)).toBeVisible();
});

test("tokens in a URL say so where the browser cannot keep a login", async ({ page, otherTokens }) => {
  await page.goto(`/${otherTokens.address}`);
  await button(page, outcomeWords.logIn).waitFor();
  await page.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException("refused", "SecurityError");
    };
  });
  await button(page, outcomeWords.logIn).click();
  await expect(page.getByText(pageProblems.notStored)).toBeFocused();
});

test("the message of a link stays though the browser's own session has ended", async ({
  page,
  member,
  startSession,
  database,
}) => {
  expectConsoleError("Failed to load resource");
  await startSession(member);
  await database.query("delete from auth.sessions where user_id = (select id from auth.users where email = $1)", [
    member.email,
  ]);
  await page.evaluate((key) => {
    const session = JSON.parse(localStorage.getItem(key) ?? "{}");
    localStorage.setItem(key, JSON.stringify({ ...session, expires_at: Math.floor(Date.now() / 1000) - 60 }));
  }, sessionKey);
  await page.goto("/#message=Confirmation+link+accepted");
  await expect.poll(() => storedEmail(page)).toBeUndefined();
  await untilIdle(page);
  await expect(page.getByText(linkWords.emailChange.other)).toBeVisible();
});

test("a forged URL neither ends a session nor sets a text", async ({ page, baseURL, member, startSession }) => {
  expectConsoleError("403");
  await startSession(member);
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const token = [part({ alg: "ES256" }), part({ sub: "1", email: "call-0900-now", exp: 9e9 }), "eA"].join(".");
  for (const [fragment, message] of [
    [`access_token=${token}&expires_in=3600&refresh_token=d&token_type=bearer`, outcomeWords.notTaken],
    ["error=access_denied&error_code=constructor&error_description=Call+0900+now", outcomeWords.refused],
  ] as const) {
    await page.goto("/thanks");
    await page.goto(`/#${fragment}`);
    await expect(page.getByText(message)).toBeFocused();
    await expect(page.getByText("0900")).toHaveCount(0);
    expect(page.url()).toBe(`${baseURL}/auth`);
    expect(await storedEmail(page)).toBe(member.email);
  }
});

test("an ordinary URL fragment stays in the URL and loads no script", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto("/#services");
  await expect(page.locator("#services h2")).toBeInViewport();
  await page.goto("/?a#x=y");
  await untilIdle(page);
  expect(page.url()).toMatch(/#x=y$/);
  expect(requests.filter((url) => /has_role|\.js$/.test(url))).toEqual([]);
  await expect(page.getByRole("banner").getByRole("link", { name: inboxLink.label, exact: true })).toBeHidden();
});

test("in the header, Account or Contacts replaces Login", async ({ page, member, setAdmin, startSession }) => {
  await startSession(member);
  const header = page.getByRole("banner");
  const link = ({ label }: { label: string }) => header.getByRole("link", { name: label, exact: true });
  const release = await holdRequests(page, /ShowAccountLink/);
  // The held script delays the page's load where the first paint comes before it.
  await page.goto("/", { waitUntil: "domcontentloaded" });
  const role = page.waitForResponse("**/rpc/has_role");
  for (const answered of [false, true]) {
    if (answered) {
      release();
      await (await role).finished();
    }
    await expect(link(accountLink)).toBeVisible();
    for (const other of [inboxLink, login]) await expect(link(other)).toBeHidden();
  }
  await link(accountLink).click();
  await expect(page).toHaveURL(accountLink.href);

  await setAdmin(member.email, true);
  await page.goto("/");
  await link(inboxLink).click();
  await expect(page).toHaveURL(inboxLink.href);
  await expect(link(login)).toBeHidden();
});
