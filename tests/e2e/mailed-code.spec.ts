import { authWords, codeWords, mailAgainWords, mailWords, passwordWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { expect, test } from "./support/accounts.ts";
import { submitForgotPassword, submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError } from "./support/fixtures.ts";
import { keyboardUser } from "./support/input-methods.ts";

const newPassword = "four unrelated garden birds";

test("sign-up and confirmation by mailed code work with the keyboard alone", async ({ page, stranger, codeFor }) => {
  const keyboard = await keyboardUser(page);
  await submitSignUp(page, stranger, keyboard);

  const field = page.getByLabel(codeWords.label);
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  await expect(field).toHaveAttribute("inputmode", "numeric");
  // A phone may discard the page while the mail program is open, and then reload it.
  await page.reload();
  const code = await codeFor(stranger.email);
  await keyboard.write(field, `${code.slice(0, 3)} ${code.slice(3)}`);
  await keyboard.press(page.getByRole("button", { name: codeWords.submit }));
  await expect(page).toHaveURL("/");
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
});

test("a password reset by mailed code works with the keyboard alone", async ({ page, member, codeFor, sessionOf }) => {
  const keyboard = await keyboardUser(page);
  await submitForgotPassword(page, member.email, keyboard);
  await keyboard.write(page.getByLabel(codeWords.label), await codeFor(member.email));
  await keyboard.press(page.getByRole("button", { name: codeWords.submit }));
  await keyboard.write(page.getByLabel(passwordWords.label), newPassword);
  await keyboard.press(page.getByRole("button", { name: passwordWords.submit }));
  await expect(page).toHaveURL("/");
  await expect(page.getByText(flashMessages.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: newPassword });
});

test("a password reset shows the same messages for an unknown and a known email address", async ({
  page,
  stranger,
}) => {
  expectConsoleError("403");
  await submitForgotPassword(page, stranger.email);
  await expect(page.getByText(mailWords.sent.recovery)).toBeFocused();
  await page.getByLabel(codeWords.label).fill("123456");
  await page.getByRole("button", { name: codeWords.submit }).click();
  await expect(page.getByText(codeWords.wrong)).toBeFocused();
});

test("after five wrong codes, /auth offers a new mail, and the code of the new mail works", async ({
  page,
  member,
  codeFor,
  endMailWait,
}) => {
  expectConsoleError("403");
  await submitForgotPassword(page, member.email);
  const field = page.getByLabel(codeWords.label);
  await field.fill("12 34");
  await field.press("Enter");
  await expect(page.getByText(codeWords.malformed)).toBeFocused();

  const code = await codeFor(member.email);
  const wrong = code === "000000" ? "000001" : "000000";
  for (let attempt = 1; attempt <= 5; attempt++) {
    await field.fill(wrong);
    await field.press("Enter");
    await expect(page.getByText(attempt < 5 ? codeWords.wrong : codeWords.noMoreTries)).toBeFocused();
  }
  await expect(field).toBeHidden();
  await expect(page.getByText(codeWords.recovery.start)).toBeHidden();

  await endMailWait(member.email);
  await page.getByRole("button", { name: mailAgainWords.send }).click();
  await expect(page.getByText(mailWords.sent.recovery)).toBeFocused();
  await field.fill(await codeFor(member.email, 2));
  await field.press("Enter");
  await expect(page.getByLabel(passwordWords.label)).toBeVisible();
});

test("a mailed code typed at /auth confirms the address with a new password; that of the sign-up is dead", async ({
  page,
  stranger,
  signUp,
  codeFor,
  sessionOf,
}) => {
  expectConsoleError("403");
  await signUp(stranger);
  await page.goto("/auth");
  await page.getByRole("button", { name: codeWords.have }).click();
  await page.getByLabel(authWords.email).fill(stranger.email);
  await page.getByLabel(codeWords.label).fill(await codeFor(stranger.email));
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await page.getByRole("button", { name: codeWords.submit }).click();
  await expect(page.getByText(flashMessages.confirmed)).toBeVisible();
  await sessionOf({ ...stranger, password: newPassword });
  await expect(sessionOf(stranger)).rejects.toThrow("400");
});

test("a login in another tab does not redirect /auth while the user types a mailed code", async ({
  page,
  context,
  stranger,
  member,
  logIn,
}) => {
  await submitSignUp(page, { ...stranger, email: `second-${stranger.email}` });
  await page.getByLabel(codeWords.label).fill("12");
  const other = await context.newPage();
  await logIn(member, other);
  await page.bringToFront();
  await page.getByLabel(codeWords.label).fill("123");
  await expect(page).toHaveURL("/auth");
  await page.getByLabel(codeWords.label).fill("");

  // The page redirects as soon as it loads, which would abort a wait for its load.
  await page.goto("/auth", { waitUntil: "commit" });
  await expect(page).toHaveURL("/");
});
