import { codeWords, linkWords, passwordWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { authMessages } from "#content/messages";
import { expect, test } from "./support/accounts.ts";
import { submitConfirmation, submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";

const newPassword = "four unrelated garden birds";

test("in another browser, a confirmation asks for a password, and the one of the sign-up stops working", async ({
  page,
  stranger,
  signUp,
  linkFor,
  sessionOf,
  database,
}) => {
  await signUp(stranger);
  const keyboard = await keyboardUser(page);
  await page.goto(await linkFor(stranger.email));
  await expect(page.getByText(linkWords.elsewhere.text)).toBeVisible();
  await expect(page.getByLabel(passwordWords.label)).toHaveAttribute("autocomplete", "new-password");
  await submitConfirmation(page, newPassword, keyboard);
  await expect(page).toHaveURL("/");
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();

  await sessionOf({ email: stranger.email, password: newPassword });
  await expect(sessionOf(stranger)).rejects.toThrow("400");
  const { rows } = await database.query(
    "select password_set_after_confirmation as after from auth.users where email = $1",
    [stranger.email],
  );
  expect(rows).toEqual([{ after: true }]);
});

test("in another browser, a password that is refused after the confirmation leads to another choice", async ({
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
  await page.getByRole("button", { name: passwordWords.submit }).click();
  await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
  await sessionOf({ email: stranger.email, password: newPassword });
});

test("a hosted project's refusal of the same password counts as a confirmation", async ({
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
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
});

test("after a stranger's sign-up with the same address, a confirmation leads to the choice of a password", async ({
  page,
  stranger,
  signUp,
  linkFor,
  codeFor,
  sessionOf,
  endMailWait,
}) => {
  const strangers = { ...stranger, password: "a stranger's own words" };
  for (const by of ["link", "code"]) {
    const email = `${by}-${stranger.email}`;
    await signUp({ ...strangers, email });
    await linkFor(email);
    await endMailWait(email);
    await submitSignUp(page, { ...stranger, email });
    await expect(page.getByText(authMessages.signedUp)).toBeFocused();
    if (by === "link") {
      await page.goto(await linkFor(email, 2));
      await page.getByRole("button", { name: linkWords.signup.button }).click();
    } else {
      await page.getByLabel(codeWords.label).fill(await codeFor(email, 2));
      await page.getByRole("button", { name: codeWords.submit }).click();
    }
    await page.getByLabel(passwordWords.label).fill(stranger.password);
    await page.getByRole("button", { name: passwordWords.submit }).click();
    await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
    await sessionOf({ ...stranger, email });
    await expect(sessionOf({ ...strangers, email })).rejects.toThrow("400");
    await page.evaluate(() => localStorage.clear());
  }
});

test("a browser remembers its sign-up for two days, and only for its own address", async ({
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
  await page.getByRole("button", { name: linkWords.signup.button }).click();
  await expect(page.getByLabel(passwordWords.account)).toHaveValue(other.email);
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await page.getByRole("button", { name: passwordWords.submit }).click();
  await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
  await sessionOf({ ...other, password: newPassword });

  const link = await linkFor(stranger.email);
  await page.clock.install({ time: Date.now() + 2 * 24 * 60 * 60 * 1000 });
  await page.goto(link);
  await expect(page.getByText(linkWords.elsewhere.text)).toBeVisible();
});
