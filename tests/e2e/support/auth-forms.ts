import type { Page } from "@playwright/test";
import { authWords, mailWords } from "#content/auth";
import type { Account } from "./accounts.ts";
import { mouseUser } from "./input-methods.ts";

export async function submitSignUp(page: Page, { email, password }: Account, { press, write } = mouseUser) {
  await page.goto("/auth");
  await press(page.getByRole("button", { name: authWords.login.toggle }));
  await write(page.getByLabel(authWords.email), email);
  await write(page.getByLabel(authWords.password), password);
  await press(page.getByRole("button", { name: authWords.signup.submit, exact: true }));
}

/** Requests the mail for choosing a new password. */
export async function submitForgotPassword(page: Page, email: string, { press, write } = mouseUser) {
  await page.goto("/auth");
  await press(page.getByRole("button", { name: mailWords.forgot }));
  await write(page.getByLabel(authWords.email), email);
  await press(page.getByRole("button", { name: mailWords.send }));
}
