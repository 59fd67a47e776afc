import { authWords, linkWords, passwordWords } from "#content/auth";
import { authMessages } from "#content/messages";
import { outcomeWords } from "#content/outcomes";
import { expect, test } from "./support/accounts.ts";
import { button, submitConfirmation, submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { expectGoodPage } from "./support/visual-checks.ts";

const newPassword = "four unrelated garden birds";

test("in another browser, a confirmation asks for a password, and a link works once", async ({
  page,
  baseURL,
  stranger,
  signUp,
  linkFor,
  sessionOf,
  database,
}) => {
  expectConsoleError("403");
  await signUp(stranger);
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/auth");
  // This acts like pasting the link into the address bar: only the fragment changes, so the browser loads nothing.
  const link = `${await linkFor(stranger.email)}&redirect_to=${encodeURIComponent("https://evil.example/privacy-policy")}`;
  await page.evaluate((address) => window.location.assign(address), link);
  await expect(page.getByText(linkWords.elsewhere.text)).toBeVisible();
  expect(page.url()).toBe(`${baseURL}/auth`);
  await page.reload();
  await expect(page.getByLabel(passwordWords.label)).toHaveAttribute("autocomplete", "new-password");
  await expectGoodPage(page);
  await submitConfirmation(page, newPassword);
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();

  await sessionOf({ email: stranger.email, password: newPassword });
  await expect(sessionOf(stranger)).rejects.toThrow("400");
  const { rows } = await database.query(
    "select password_set_after_confirmation as after from auth.users where email = $1",
    [stranger.email],
  );
  expect(rows).toEqual([{ after: true }]);

  await page.evaluate(() => localStorage.clear());
  await page.goto(link);
  await submitConfirmation(page, "another password");
  await expect(page.getByText(linkWords.expired.signup)).toBeFocused();
  await button(page, authWords.backToLogin).click();
  await expect(page.getByRole("heading", { name: authWords.login.title })).toBeVisible();
});

test("after a refused password another one is chosen", { tag: "@rare" }, async ({
  page,
  stranger,
  signUp,
  linkFor,
  sessionOf,
}) => {
  expectConsoleError("422");
  await signUp(stranger);
  await page.goto(await linkFor(stranger.email));
  await submitConfirmation(page, "short");
  await expect(page.getByText("Password should be at least 8 characters.")).toBeFocused();
  await expect(sessionOf(stranger)).rejects.toThrow("400");
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await button(page, passwordWords.submit).click();
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  await sessionOf({ email: stranger.email, password: newPassword });
});

test("a hosted project's refusal of the same password confirms", { tag: "@rare" }, async ({
  page,
  stranger,
  signUp,
  linkFor,
}) => {
  expectConsoleError("422");
  await signUp(stranger);
  // A hosted project keeps the password of the sign-up, so it answers this to the person who types that one.
  const json = { code: "same_password", message: "New password should be different from the old password." };
  const headers = { "x-supabase-api-version": "2024-01-01" };
  await page.route("**/auth/v1/user*", (route) =>
    route.request().method() === "PUT" ? route.fulfill({ status: 422, json, headers }) : route.continue(),
  );
  await page.goto(await linkFor(stranger.email));
  await submitConfirmation(page, stranger.password);
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();
});

test("after a stranger's sign-up, the confirmation of the owner asks for a password", { tag: "@rare" }, async ({
  page,
  stranger,
  signUp,
  linkFor,
  sessionOf,
  endMailWait,
}) => {
  const strangers = { ...stranger, password: "a stranger's own words" };
  await signUp(strangers);
  await linkFor(stranger.email);
  await endMailWait(stranger.email);
  await submitSignUp(page, stranger);
  await expect(page.getByText(authMessages.signedUp)).toBeFocused();
  await page.goto(await linkFor(stranger.email, 2));
  await button(page, linkWords.signup.button).click();
  await page.getByLabel(passwordWords.label).fill(stranger.password);
  await button(page, passwordWords.submit).click();
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  await sessionOf(stranger);
  await expect(sessionOf(strangers)).rejects.toThrow("400");
});

test("a browser remembers its own sign-up for two days", { tag: "@rare" }, async ({
  page,
  stranger,
  signUp,
  linkFor,
  sessionOf,
}) => {
  await submitSignUp(page, stranger);
  await expect(page.getByText(authMessages.signedUp)).toBeFocused();
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(stranger.email);
  const other = { ...stranger, email: `other-${stranger.email}` };
  await signUp(other);
  await page.goto(await linkFor(other.email));
  await button(page, linkWords.signup.button).click();
  await expect(page.getByLabel(passwordWords.account)).toHaveValue(other.email);
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await button(page, passwordWords.submit).click();
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  await sessionOf({ ...other, password: newPassword });

  const link = await linkFor(stranger.email);
  await page.clock.install({ time: Date.now() + 2 * 24 * 60 * 60 * 1000 });
  await page.goto(link);
  await expect(page.getByText(linkWords.elsewhere.text)).toBeVisible();
});
