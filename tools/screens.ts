import type { Page } from "@playwright/test";
import { authWords, codeWords, linkWords, mailAgainWords, mailWords, passwordWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { flashMessages } from "#content/flash-message";
import { authMessages, contactMessages, pageMessages } from "#content/messages";
import { navigationWords } from "#content/navigation";
import { accountScreens } from "./account-screens.ts";
import { inboxScreens } from "./inbox-screens.ts";
import { contactsCall, type Screen } from "./screen.ts";
import { signInScreens } from "./sign-in-screens.ts";

export const screens: readonly Screen[] = [
  { name: "landing", path: "/" },
  {
    name: "section",
    path: "/",
    parts: {
      header: "body > header",
      hero: "#hero",
      about: "#about",
      services: "#services",
      "case-studies": "#case-studies",
      why: "#why-work-with-us",
      contact: "#contact",
      footer: "body > footer",
    },
  },
  { name: "landing-scrolled", path: "/#services", windowOnly: true },
  { name: "landing-forced-colors", path: "/", forcedColors: "active" },
  {
    name: "menu-open",
    path: "/",
    narrowerThan: 960,
    windowOnly: true,
    act: (page) => page.getByRole("button", { name: navigationWords.menu }).click(),
  },
  {
    name: "focus",
    path: "/",
    windowOnly: true,
    act: async (page) => {
      await page.getByRole("main").getByRole("link").first().focus();
      await page.keyboard.press("Tab");
    },
  },
  { name: "form-filled", path: "/#contact", parts: { form: "#contact" }, act: fillIn },
  {
    name: "form-refused",
    path: "/#contact",
    parts: { form: "#contact" },
    act: async (page) => {
      await fillIn(page, false);
      await send(page, contactMessages.noInterest);
    },
  },
  {
    name: "form-failed",
    path: "/#contact",
    parts: { form: "#contact" },
    act: async (page) => {
      await page.route(contactsCall, (route) => route.abort());
      await fillIn(page);
      await send(page, contactMessages.notSent);
    },
  },
  {
    name: "form-thanked",
    path: "/#contact",
    parts: { form: "#contact" },
    act: async (page) => {
      await fillIn(page);
      await send(page, contactMessages.sent);
    },
  },
  {
    name: "form-refused-without-javascript",
    path: "/",
    withoutJavaScript: true,
    windowOnly: true,
    act: async (page) => {
      await fillIn(page, false);
      await send(page, contactMessages.noInterest);
    },
  },
  {
    name: "flash-message-expired-link",
    path: "/#error=access_denied&error_code=otp_expired",
    windowOnly: true,
    act: (page) => page.getByRole("button", { name: mailAgainWords.send }).waitFor(),
  },
  {
    name: "flash-message-way-back",
    path: "/",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.evaluate(() => {
        const address = "/admin/contacts?search=heron";
        localStorage.setItem("return-address", JSON.stringify({ address, storedAt: Date.now() }));
        sessionStorage.setItem("flash-message", "logged-in");
      });
      await page.reload();
      await page.getByRole("link", { name: flashMessages.back }).waitFor();
    },
  },
  { name: "thanks", path: "/thanks" },
  { name: "auth-login", path: "/auth", act: hydrated },
  { name: "auth-forced-colors", path: "/auth", forcedColors: "active", act: hydrated },
  { name: "auth-without-javascript", path: "/auth", withoutJavaScript: true },
  {
    name: "auth-sign-up",
    path: "/auth",
    act: async (page) => {
      await hydrated(page);
      await page.getByRole("button", { name: authWords.login.toggle }).click();
    },
  },
  {
    name: "auth-refused",
    path: "/auth",
    act: async (page) => {
      await hydrated(page);
      await enter(page, authWords.login.submit);
      await page.getByText("Invalid login credentials").waitFor();
    },
  },
  {
    name: "auth-mail-sent",
    path: "/auth",
    act: async (page) => {
      await hydrated(page);
      await page.getByRole("button", { name: authWords.login.toggle }).click();
      await enter(page, authWords.signup.submit);
      await page.getByText(authMessages.signedUp).waitFor();
    },
  },
  {
    name: "auth-forgotten",
    path: "/auth",
    act: async (page) => {
      await hydrated(page);
      await page.getByRole("button", { name: mailWords.forgot }).click();
    },
  },
  {
    name: "auth-code-wrong",
    path: "/auth",
    act: async (page) => {
      await hydrated(page);
      await page.getByRole("button", { name: mailWords.forgot }).click();
      await page.getByLabel(authWords.email).fill(freshAddress());
      await page.getByRole("button", { name: mailWords.send }).click();
      await page.getByLabel(codeWords.label).fill("123 456");
      await page.getByRole("button", { name: codeWords.submit }).click();
      await page.getByText(codeWords.wrong).waitFor();
    },
  },
  {
    name: "auth-code-any",
    path: "/auth",
    act: async (page) => {
      await hydrated(page);
      await page.getByRole("button", { name: codeWords.have }).click();
    },
  },
  {
    name: "auth-link",
    path: "/auth",
    act: async (page) => {
      await hydrated(page);
      await page.getByRole("button", { name: authWords.login.toggle }).click();
      await enter(page, authWords.signup.submit);
      await page.getByText(authMessages.signedUp).waitFor();
      await page.evaluate(() => location.assign("/auth#token_hash=none&type=signup"));
      await page.getByText(linkWords.signup.text).waitFor();
    },
  },
  {
    name: "auth-link-elsewhere",
    path: "/auth#token_hash=none&type=signup",
    act: (page) => page.getByText(linkWords.elsewhere.text).waitFor(),
  },
  {
    name: "auth-link-expired",
    path: "/auth#token_hash=none&type=recovery",
    act: async (page) => {
      await page.getByRole("button", { name: linkWords.recovery.button }).click();
      await page.getByText(linkWords.expired.recovery).waitFor();
    },
  },
  {
    name: "auth-new-password",
    path: "/auth#new-password",
    as: "member",
    act: (page) => page.getByLabel(passwordWords.label, { exact: true }).waitFor(),
  },
  ...accountScreens,
  ...signInScreens,
  ...inboxScreens,
  { name: "not-found", path: "/no/such/path" },
  {
    name: "error",
    path: "/",
    act: async (page) => {
      await page.evaluate(postTooMuch);
      await page.getByRole("heading", { name: pageMessages.unexpected }).waitFor();
    },
  },
  { name: "privacy-policy", path: "/privacy-policy" },
  { name: "privacy-policy-print", path: "/privacy-policy", media: "print" },
  { name: "terms-of-service", path: "/terms-of-service" },
  { name: "terms-of-service-print", path: "/terms-of-service", media: "print" },
];

async function fillIn(page: Page, withInterest = true) {
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await page.getByLabel(contactWords.name, { exact: true }).fill("Ada Heron");
  await page.getByLabel(contactWords.company).fill("Heron & Daughters");
  await page.getByLabel(contactWords.email).fill(freshAddress());
  if (withInterest) await page.getByRole("radio", { name: contactWords.interests[1].label }).check();
}

async function send(page: Page, answer: string) {
  await page.getByRole("button", { name: contactWords.send }).click();
  await page.getByText(answer).waitFor();
}

async function enter(page: Page, button: string) {
  await page.getByLabel(authWords.email).fill(freshAddress());
  await page.getByLabel(authWords.password).fill("a long walk in the woods");
  await page.getByRole("button", { name: button, exact: true }).click();
}

/** Waits until React has hydrated the page. Before that, its submit buttons are disabled. */
async function hydrated(page: Page) {
  await page.locator("main button[type=submit]:enabled").waitFor();
}

function postTooMuch() {
  const form = document.createElement("form");
  Object.assign(form, { action: "/contact", method: "post" });
  form.append(Object.assign(document.createElement("textarea"), { name: "name", value: "x".repeat(100_000) }));
  document.body.append(form);
  form.submit();
}

/** A new address for each contact, because a second contact from the same address has to wait for thirty seconds. */
function freshAddress() {
  return `ada.heron.${Math.random().toString(36).slice(2, 8)}@example.com`;
}
