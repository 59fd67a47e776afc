import type { Page } from "@playwright/test";
import { authWords, linkWords, mailWords, passwordWords } from "#content/auth";
import type { Account } from "./accounts.ts";
import { mouseUser } from "./input-methods.ts";

export async function submitSignUp(page: Page, { email, password }: Account, { press, write } = mouseUser) {
  await page.goto("/auth");
  await press(page.getByRole("button", { name: authWords.login.toggle }));
  await write(page.getByLabel(authWords.email), email);
  await write(page.getByLabel(authWords.password), password);
  await press(page.getByRole("button", { name: authWords.signup.submit, exact: true }));
}

/** Confirms an address on the page of a mailed link, in a browser where the sign-up did not begin. */
export async function submitConfirmation(page: Page, password: string, { press, write } = mouseUser) {
  await write(page.getByLabel(passwordWords.label), password);
  await press(page.getByRole("button", { name: linkWords.signup.button }));
}

/** Requests the mail for choosing a new password. */
export async function submitForgotPassword(page: Page, email: string, { press, write } = mouseUser) {
  await page.goto("/auth");
  await press(page.getByRole("button", { name: mailWords.forgot }));
  await write(page.getByLabel(authWords.email), email);
  await press(page.getByRole("button", { name: mailWords.send }));
}
