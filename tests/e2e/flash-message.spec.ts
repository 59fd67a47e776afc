import { mailAgainWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { inboxLink, login } from "#content/navigation";
import { services } from "#content/services";
import { expect, test } from "./support/accounts.ts";
import { expectConsoleError, untilIdle } from "./support/fixtures.ts";

const over = flashMessages.refusals.otp_expired ?? "";

test("an old-style link logs in at once, and says so when it is used again", async ({
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
  await expect(page.getByText(over)).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/`);
});

test("an old-style link that is over leads to a new mail", async ({ page, stranger, signUp, linkFor, endMailWait }) => {
  await signUp(stranger);
  await linkFor(stranger.email);
  await endMailWait(stranger.email);
  await page.goto("/auth/v1/verify?token=over&type=signup");
  await expect(page.getByText(over)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(stranger.email);
  await page.keyboard.press("Enter");
  await expect(page.getByText(mailAgainWords.sent)).toBeVisible();
  await linkFor(stranger.email, 2);
});

test("tokens that the server does not know do not stay in the address", async ({ page, baseURL }) => {
  expectConsoleError("403");
  await page.goto("/#access_token=a.b.c&expires_in=3600&refresh_token=d&token_type=bearer&type=signup");
  await expect(page.getByText(flashMessages.notTaken)).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/`);
});

test("a link cannot put words into the site's mouth, and its note can be closed with the keyboard", async ({
  page,
}) => {
  await page.goto("/#error=access_denied&error_code=other&error_description=Call+0900+now");
  await expect(page.getByText(flashMessages.refused)).toBeFocused();
  await expect(page.getByText("0900")).toHaveCount(0);
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText(flashMessages.refused)).toBeHidden();
});

test("anchors and other fragments are left alone, and nothing is loaded or asked for them", async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.goto("/#services");
  await expect(page.getByText(services[0]?.name ?? "").first()).toBeInViewport();
  await page.goto("/?a#x=y");
  await untilIdle(page);
  expect(page.url()).toMatch(/#x=y$/);
  expect(asked.filter((url) => /has_role|ShowInboxLink|ShowFlashMessage/.test(url))).toEqual([]);
  await expect(page.getByRole("banner").getByRole("link", { name: inboxLink.label, exact: true })).toBeHidden();
});

test("an admin finds the way to the contacts in place of the login", async ({ page, admin, startSession }) => {
  await startSession(admin);
  await page.goto("/");
  const header = page.getByRole("banner");
  await header.getByRole("link", { name: inboxLink.label, exact: true }).click();
  await expect(page).toHaveURL(inboxLink.href);
  await expect(header.getByRole("link", { name: login.label })).toBeHidden();
});

test("a member without the role is not led there", async ({ page, member, startSession }) => {
  await startSession(member);
  const answer = page.waitForResponse("**/rest/v1/rpc/has_role");
  await page.goto("/");
  await (await answer).finished();
  await untilIdle(page);
  await expect(page.getByRole("link", { name: inboxLink.label, exact: true })).toBeHidden();
});
