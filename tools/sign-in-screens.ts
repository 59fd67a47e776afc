import type { Page } from "@playwright/test";
import { authWords } from "#content/auth";
import { flashMessages } from "#content/flash-message";
import { secondFactorStepWords } from "#content/second-factor-step";
import type { Screen } from "./screen.ts";

/** The login where sign-up is closed, and the step of the second factor. */
export const signInScreens: readonly Screen[] = [
  {
    name: "auth-sign-up-closed",
    path: "/auth",
    act: async (page) => {
      await closeSignUp(page);
      await page.getByText(authWords.signUpClosed.short).waitFor();
    },
  },
  {
    name: "auth-second-factor",
    path: "/",
    as: "member",
    act: (page) => openSecondFactor(page, ["Phone"]),
  },
  {
    name: "auth-second-factor-apps",
    path: "/",
    as: "member",
    act: async (page) => {
      await openSecondFactor(page, ["Phone", "Work phone in the drawer of the second desk", "Tablet"]);
      await page.getByLabel(secondFactorStepWords.label).fill("12345");
      await page.getByRole("button", { name: secondFactorStepWords.submit, exact: true }).click();
      await page.getByText(secondFactorStepWords.malformed).waitFor();
    },
  },
  {
    name: "auth-recovery-code",
    path: "/",
    as: "member",
    act: async (page) => {
      await openSecondFactor(page, ["Phone"], 4);
      await page.getByRole("button", { name: secondFactorStepWords.lost }).click();
      await page.getByLabel(secondFactorStepWords.recovery.label).waitFor();
    },
  },
  {
    name: "auth-recovery-code-none",
    path: "/",
    as: "member",
    act: async (page) => {
      await openSecondFactor(page, ["Phone"]);
      await page.getByRole("button", { name: secondFactorStepWords.lost }).click();
      await page.getByText(secondFactorStepWords.recovery.none).waitFor();
    },
  },
  {
    name: "flash-recovery-codes",
    path: "/",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.evaluate(() => {
        sessionStorage.setItem("flash-message", "logged-in");
        sessionStorage.setItem("recovery-codes-left", "2");
      });
      await page.reload();
      await page.getByText(flashMessages.recoveryCodes.left(2)).waitFor();
      await page.getByRole("link", { name: flashMessages.inbox.label }).waitFor();
    },
  },
];

async function closeSignUp(page: Page) {
  await page.route("**/auth/v1/settings", (route) => route.fulfill({ json: { disable_signup: true } }));
  await page.reload();
}

/** Opens the step of the second factor, as if the account had these apps and this number of recovery codes. */
async function openSecondFactor(page: Page, apps: readonly string[], recoveryCodes?: number) {
  const stored = await page.evaluate(() => Object.entries(localStorage).find(([key]) => key.startsWith("sb-"))?.[1]);
  const session = JSON.parse(stored ?? "{}");
  await page.route("**/auth/v1/token?grant_type=refresh_token", async (route) => {
    const factors = apps.map((name) => ({ id: name, friendly_name: name, factor_type: "totp", status: "verified" }));
    await route.fulfill({ json: { ...session, user: { ...session.user, factors } } });
  });
  await page.route("**/auth/v1/factors/recovery-codes", (route) =>
    recoveryCodes === undefined
      ? route.fulfill({ status: 404, json: {} })
      : route.fulfill({ json: { remaining: recoveryCodes, total: 10 } }),
  );
  await page.evaluate(() => location.assign("/auth#second-factor=logged-in"));
  await page.getByLabel(secondFactorStepWords.label).waitFor();
  if (apps.length > 1) await page.getByRole("radio", { name: apps[1] ?? "" }).waitFor();
}
