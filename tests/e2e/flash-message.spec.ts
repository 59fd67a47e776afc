import { mailAgainWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { inboxLink, login } from "#content/navigation";
import { services } from "#content/services";
import { expect, test } from "./support/accounts.ts";
import { expectConsoleError, untilIdle } from "./support/fixtures.ts";

const expired = flashMessages.refusals.otp_expired ?? "";

test("a /verify link logs the user in without a click; a second use shows an error", async ({
  page,
  baseURL,
  stranger,
  signUp,
  linkFor,
}) => {
  await signUp(stranger);
  const fields = new URLSearchParams(new URL(await linkFor(stranger.email)).hash.slice(1));
  const link = `/auth/v1/verify?token=${fields.get("token_hash")}&type=signup`;
  await page.goto(link);
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
  expect(page.url()).toBe(`${baseURL}/`);

  await page.goto(link);
  await expect(page.getByText(expired)).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/`);
});

test("a /verify link with an invalid token shows an error and offers a new mail", async ({
  page,
  stranger,
  signUp,
  linkFor,
  endMailWait,
}) => {
  await signUp(stranger);
  await linkFor(stranger.email);
  await endMailWait(stranger.email);
  await page.goto("/auth/v1/verify?token=expired&type=signup");
  await expect(page.getByText(expired)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(stranger.email);
  await page.keyboard.press("Enter");
  await expect(page.getByText(mailAgainWords.sent)).toBeVisible();
  await linkFor(stranger.email, 2);
});

test("the landing page removes refused tokens from its URL and shows an error", async ({ page, baseURL }) => {
  expectConsoleError("403");
  await page.goto("/#access_token=a.b.c&expires_in=3600&refresh_token=d&token_type=bearer&type=signup");
  await expect(page.getByText(flashMessages.notTaken)).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/`);
});

test("a URL cannot set the text of the error message; the keyboard closes the message", async ({ page }) => {
  await page.goto("/#error=access_denied&error_code=other&error_description=Call+0900+now");
  await expect(page.getByText(flashMessages.refused)).toBeFocused();
  await expect(page.getByText("0900")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText(flashMessages.refused)).toBeHidden();
});

test("an ordinary URL fragment stays in the URL and loads no flash message script", async ({ page }) => {
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto("/#services");
  await expect(page.getByText(services[0]?.name ?? "").first()).toBeInViewport();
  await page.goto("/?a#x=y");
  await untilIdle(page);
  expect(page.url()).toMatch(/#x=y$/);
  expect(requests.filter((url) => /has_role|ShowInboxLink|ShowFlashMessage/.test(url))).toEqual([]);
  await expect(page.getByRole("banner").getByRole("link", { name: inboxLink.label, exact: true })).toBeHidden();
});

test("the header shows an admin an inbox link in place of the login link", async ({ page, admin, startSession }) => {
  await startSession(admin);
  await page.goto("/");
  const header = page.getByRole("banner");
  await header.getByRole("link", { name: inboxLink.label, exact: true }).click();
  await expect(page).toHaveURL(inboxLink.href);
  await expect(header.getByRole("link", { name: login.label })).toBeHidden();
});

test("the landing page shows no inbox link to an account without the admin role", async ({
  page,
  member,
  startSession,
}) => {
  await startSession(member);
  const answer = page.waitForResponse("**/rest/v1/rpc/has_role");
  await page.goto("/");
  await (await answer).finished();
  await untilIdle(page);
  await expect(page.getByRole("link", { name: inboxLink.label, exact: true })).toBeHidden();
});
