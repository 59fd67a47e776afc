import type { Page } from "@playwright/test";
import { accountWords } from "#content/account";
import { secondFactorWords } from "#content/second-factor";
import type { Screen } from "./screen.ts";

export const accountScreens: readonly Screen[] = [
  {
    name: "account",
    path: "/account",
    as: "admin",
    act: (page) => page.getByRole("heading", { name: accountWords.audit.title }).waitFor(),
  },
  { name: "account-loading", path: "/account", as: "admin", withoutJavaScript: true },
  {
    name: "account-factor-required",
    path: "/account",
    as: "admin",
    act: async (page) => {
      await answerAccount(page, { step: "set_up" });
      await page.getByText(secondFactorWords.required).waitFor();
    },
  },
  { name: "account-factor-naming", path: "/account", as: "member", act: beginSetUp },
  {
    name: "account-factor-app",
    path: "/account",
    as: "member",
    act: async (page) => {
      await beginSetUp(page);
      await page.getByRole("button", { name: secondFactorWords.naming.submit }).click();
      await page.getByRole("img", { name: secondFactorWords.adding.picture }).waitFor();
      await toTop(page);
    },
  },
  {
    name: "account-factor-wrong-code",
    path: "/account",
    as: "member",
    act: async (page) => {
      await beginSetUp(page);
      await page.getByRole("button", { name: secondFactorWords.naming.submit }).click();
      await page.getByLabel(secondFactorWords.adding.code).fill("12345");
      await page.getByRole("button", { name: secondFactorWords.adding.submit }).click();
      await page.getByText(secondFactorWords.adding.malformed).waitFor();
      await toTop(page);
    },
  },
  {
    name: "account-factors",
    path: "/account",
    as: "admin",
    act: (page) => answerAccount(page, { names: ["Phone", "The old tablet in the kitchen"], left: 7 }),
  },
  {
    name: "account-factors-hosted",
    path: "/account",
    as: "member",
    act: (page) => answerAccount(page, { names: ["Phone"] }),
  },
  {
    name: "account-factors-verify",
    path: "/account",
    as: "member",
    act: (page) => answerAccount(page, { names: ["Phone"], step: "verify" }),
  },
  {
    name: "account-factors-failed",
    path: "/account",
    as: "member",
    act: async (page) => {
      await page.route("**/rest/v1/rpc/second_factor_step", (route) => route.abort());
      await page.reload();
      await page.getByRole("button", { name: accountWords.tryAgain }).waitFor();
    },
  },
  {
    name: "account-factor-removal",
    path: "/account",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await answerAccount(page, { names: ["Phone"], left: 7 });
      await page.getByRole("button", { name: secondFactorWords.list.removeWhich("Phone") }).click();
    },
  },
  { name: "account-recovery-codes", path: "/account", as: "admin", act: makeCodes },
  { name: "account-recovery-codes-print", path: "/account", as: "admin", media: "print", act: makeCodes },
  {
    name: "account-email-waiting",
    path: "/account",
    as: "member",
    act: (page) => answerAccount(page, { newEmail: "ada.heron@example.org" }),
  },
];

/** Answers what the account page asks about the account and its second factor. Without `left` there are no recovery codes. */
async function answerAccount(
  page: Page,
  {
    names = [],
    step = "none",
    left,
    newEmail,
  }: { names?: readonly string[]; step?: string; left?: number; newEmail?: string },
) {
  await page.route("**/rest/v1/rpc/second_factor_step", (route) => route.fulfill({ json: step }));
  await page.route("**/auth/v1/user", async (route) => {
    const factors = names.map((name, day) => ({
      id: `00000000-0000-4000-8000-00000000000${day}`,
      friendly_name: name,
      factor_type: "totp",
      status: "verified",
      created_at: `2026-11-0${day + 1}T09:30:00Z`,
    }));
    await route.fulfill({ json: { ...(await (await route.fetch()).json()), factors, new_email: newEmail } });
  });
  await page.route("**/auth/v1/factors/recovery-codes", (route) =>
    left === undefined ? route.fulfill({ status: 404, json: {} }) : route.fulfill({ json: { remaining: left, codes } }),
  );
  await page.reload();
  await page.getByRole("heading", { name: accountWords.sessions.title }).waitFor();
}

const codes = Array.from({ length: 10 }, (_, index) => `b7qx2m${index}kh4rt${index}wze`);

async function makeCodes(page: Page) {
  await answerAccount(page, { names: ["Phone"], left: 0 });
  await page.getByRole("button", { name: secondFactorWords.codes.make }).click();
  await page.getByRole("heading", { name: secondFactorWords.codes.shown.title }).waitFor();
  await toTop(page);
}

/** The focus has scrolled the page, and its header would lie over the middle of a picture of the full page. */
function toTop(page: Page) {
  return page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
}

async function beginSetUp(page: Page) {
  await page.getByRole("button", { name: secondFactorWords.begin }).click();
  await page.getByLabel(secondFactorWords.naming.label, { exact: true }).waitFor();
  await toTop(page);
}
