import { authWords, codeWords, mailAgainWords, mailWords, passwordWords } from "#content/auth";
import { outcomeWords } from "#content/outcomes";
import { expect, test } from "./support/accounts.ts";
import { button, submitForgotPassword, submitSignUp } from "./support/auth-forms.ts";
import { expectConsoleError } from "./support/fixtures.ts";

const newPassword = "four unrelated garden birds";

test("sign-up and confirmation by mailed code work", async ({ page, stranger, codeFor }) => {
  await submitSignUp(page, stranger);
  const field = page.getByLabel(codeWords.label);
  await expect(field).toHaveAttribute("autocomplete", "one-time-code");
  await expect(field).toHaveAttribute("inputmode", "numeric");
  // A phone may discard the page while the mail program is open, and then reload it.
  await page.reload();
  const code = await codeFor(stranger.email);
  await field.fill(`${code.slice(0, 3)} ${code.slice(3)}`);
  await button(page, codeWords.submit).click();
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();
});

test("after five wrong codes, the code of a new mail resets the password", { tag: "@rare" }, async ({
  page,
  member,
  codeFor,
  endMailWait,
  sessionOf,
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
  await button(page, mailAgainWords.send).click();
  await expect(page.getByText(mailWords.sent.recovery)).toBeFocused();
  await field.fill(await codeFor(member.email, 2));
  await field.press("Enter");
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await button(page, passwordWords.submit).click();
  await expect(page.getByText(outcomeWords.newPassword)).toBeVisible();
  await sessionOf({ email: member.email, password: newPassword });
});

test("a code typed at /auth confirms with a new password", async ({ page, stranger, signUp, codeFor, sessionOf }) => {
  expectConsoleError("403");
  await signUp(stranger);
  await page.goto("/auth");
  await button(page, codeWords.have).click();
  await page.getByLabel(authWords.email).fill(stranger.email);
  await page.getByLabel(codeWords.label).fill(await codeFor(stranger.email));
  await page.getByLabel(passwordWords.label).fill(newPassword);
  await button(page, codeWords.submit).click();
  await expect(page.getByText(outcomeWords.confirmed)).toBeVisible();
  await sessionOf({ ...stranger, password: newPassword });
  await expect(sessionOf(stranger)).rejects.toThrow("400");
});
