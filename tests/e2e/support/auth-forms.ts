import type { Page } from "@playwright/test";
import { authWords, linkWords, mailWords, passwordWords } from "#content/auth";
import { mouseUser } from "./input-methods.ts";

export interface Account {
  email: string;
  password: string;
}

export const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

export async function submitLogin(page: Page, { email, password }: Account, { press, write } = mouseUser) {
  await write(page.getByLabel(authWords.email), email);
  await write(page.getByLabel(authWords.password), password);
  await press(button(page, authWords.login.submit));
}

export async function submitSignUp(page: Page, { email, password }: Account, { press, write } = mouseUser) {
  await page.goto("/auth");
  await press(button(page, authWords.login.toggle));
  await write(page.getByLabel(authWords.email), email);
  await write(page.getByLabel(authWords.password), password);
  await press(button(page, authWords.signup.submit));
}

/** Confirms an address on the page of a mailed link, in a browser where the sign-up did not begin. */
export async function submitConfirmation(page: Page, password: string, { press, write } = mouseUser) {
  await write(page.getByLabel(passwordWords.label), password);
  await press(button(page, linkWords.signup.button));
}

/** Requests the mail for choosing a new password. */
export async function submitForgotPassword(page: Page, email: string, { press, write } = mouseUser) {
  await page.goto("/auth");
  await press(button(page, mailWords.forgot));
  await write(page.getByLabel(authWords.email), email);
  await press(button(page, mailWords.send));
}
