import { arrivalWords } from "#content/arrival";
import { mailAgainWords } from "#content/auth";
import { expect, test } from "./support/accounts.ts";
import { expectComplaint } from "./support/fixtures.ts";

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
  await expect(page.getByText(arrivalWords.confirmed)).toBeVisible();
  expect(page.url()).toBe(`${baseURL}/`);

  await page.goto(link);
  await expect(page.getByText("Email link is invalid or has expired")).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/`);
});

test("an old-style link that is over leads to a new mail", async ({ page, stranger, signUp, linkFor, database }) => {
  await signUp(stranger);
  await linkFor(stranger.email);
  // Another mail to one address waits for a minute; here the minute is over.
  await database.query("delete from auth.mail_marks");
  await page.goto("/auth/v1/verify?token=over&type=signup");
  await expect(page.getByText("Email link is invalid or has expired")).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.type(stranger.email);
  await page.keyboard.press("Enter");
  await expect(page.getByText(mailAgainWords.sent)).toBeVisible();
  await linkFor(stranger.email, 2);
});

test("tokens that the server does not know do not stay in the address", async ({ page, baseURL }) => {
  expectComplaint("403");
  await page.goto("/#access_token=a.b.c&expires_in=3600&refresh_token=d&token_type=bearer&type=signup");
  await expect(page.getByText(arrivalWords.notTaken)).toBeFocused();
  expect(page.url()).toBe(`${baseURL}/`);
});

test("nobody can put words into our mouth with a link", async ({ page }) => {
  await page.goto("/#error=access_denied&error_code=other&error_description=Call+0900+now");
  await expect(page.getByText(arrivalWords.refused)).toBeVisible();
  await expect(page.getByText("0900")).toHaveCount(0);
});

test("anchors and other fragments are left alone, and nothing is loaded for them", async ({ page }) => {
  const scripts: string[] = [];
  page.on("request", (request) => request.url().includes("arrival-note") && scripts.push(request.url()));
  await page.goto("/#services");
  await expect(page.locator("#services")).toBeInViewport();
  await page.goto("/?a#x=y");
  await page.waitForLoadState("networkidle");
  expect(page.url()).toMatch(/#x=y$/);
  expect(scripts).toEqual([]);
});

test("the note can be closed with the keyboard", async ({ page }) => {
  await page.goto("/#error=access_denied&error_code=other");
  await expect(page.getByText(arrivalWords.refused)).toBeFocused();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByText(arrivalWords.refused)).toBeHidden();
});

test("an admin finds the way to the contacts in place of the login", async ({ page, admin, logIn }) => {
  await logIn(admin);
  const header = page.getByRole("banner");
  await header.getByRole("link", { name: "Contacts" }).click();
  await expect(page).toHaveURL("/admin/contacts");
  await expect(header.getByRole("link", { name: "Login" })).toBeHidden();
});

test("a member without the role is not led there, and a visitor's page does not even ask", async ({
  page,
  browser,
  member,
  logIn,
}) => {
  await logIn(member);
  await page.waitForResponse("**/rest/v1/rpc/has_role");
  await expect(page.getByRole("link", { name: "Contacts" })).toBeHidden();

  const visitor = await browser.newPage();
  const asked: string[] = [];
  visitor.on("request", (request) => asked.push(request.url()));
  await visitor.goto("/", { waitUntil: "networkidle" });
  expect(asked.filter((url) => /has_role|show-inbox-link|arrival-note/.test(url))).toEqual([]);
  await expect(visitor.getByRole("banner").getByRole("link", { name: "Contacts", exact: true })).toBeHidden();
  await visitor.close();
});
