import type { Page, Route } from "@playwright/test";
import { accountWords } from "#content/account";
import { authWords, codeWords, linkWords, mailAgainWords, mailWords, passwordWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { workWords } from "#content/contact-work";
import { flashMessages } from "#content/flash-message";
import { inboxWords } from "#content/inbox";
import { exportWords } from "#content/inbox-export";
import { authMessages, contactMessages, inboxMessages, pageMessages } from "#content/messages";
import { navigationWords } from "#content/navigation";
import { chartWords } from "#content/weeks-chart";

/** A screenshot: the address, the session, and the actions before the picture. */
export interface Screen {
  name: string;
  path: string;
  as?: "admin" | "member";
  withoutJavaScript?: true;
  media?: "print";
  forcedColors?: "active";
  /** The picture is taken only at widths below this, in pixels. */
  narrowerThan?: number;
  act?: (page: Page) => Promise<void>;
  /**
   * Takes a picture of each part that these selectors name. Without parts it takes the full page, or with `windowOnly`
   * the window.
   */
  parts?: Readonly<Record<string, string>>;
  windowOnly?: true;
}

const contactsCall = "**/rest/v1/contacts*";

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
  {
    name: "account",
    path: "/account",
    as: "admin",
    act: (page) => page.getByRole("heading", { name: accountWords.audit.title }).waitFor(),
  },
  { name: "account-loading", path: "/account", as: "admin", withoutJavaScript: true },
  {
    name: "inbox-list",
    path: "/admin/contacts",
    as: "admin",
    act: (page) => page.getByRole("table").waitFor(),
  },
  { name: "inbox-panel", path: "/admin/contacts", as: "admin", windowOnly: true, act: openContact },
  {
    name: "inbox-panel-end",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await openContact(page);
      await page.getByRole("heading", { name: workWords.panel.others }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "inbox-note-conflict",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await openContact(page);
      await page.getByLabel(workWords.note.label, { exact: true }).fill("She would rather talk on Thursday.");
      const newer = { note: "Called on Monday: she is back next week.", note_version: 7 };
      const change = async (route: Route) => {
        const contacts = await (await route.fetch()).json();
        await route.fulfill({ json: contacts.map((contact: object) => ({ ...contact, ...newer })) });
      };
      await page.route("**/rest/v1/contacts?*", (route) =>
        route.request().method() === "PATCH" ? route.fulfill({ json: [] }) : change(route),
      );
      await page.keyboard.press("Control+Enter");
      await page.getByText(workWords.note.newer).waitFor();
      await page.getByRole("button", { name: workWords.note.theirs }).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "inbox-correction",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await openContact(page);
      await page.getByRole("button", { name: workWords.correction.openWhat }).click();
    },
  },
  {
    name: "inbox-panel-gone",
    path: "/admin/contacts?contact=00000000-0000-4000-8000-000000000000",
    as: "admin",
    windowOnly: true,
    act: (page) => page.getByRole("heading", { name: workWords.panel.gone }).waitFor(),
  },
  {
    name: "inbox-panel-failed",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.route("**/rest/v1/contacts?*id=eq.*", (route) => route.fulfill({ status: 500, json: {} }));
      await page.getByRole("table").waitFor();
      await page.evaluate(() => {
        history.pushState(null, "", "?contact=00000000-0000-4000-8000-000000000000");
        dispatchEvent(new PopStateEvent("popstate"));
      });
      await page.getByRole("heading", { name: workWords.panel.failed }).waitFor();
    },
  },
  {
    name: "inbox-selected",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await selectContacts(page);
      await page.getByRole("checkbox").nth(2).scrollIntoViewIfNeeded();
    },
  },
  {
    name: "inbox-undo",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.route("**/rest/v1/contacts?*", (route) =>
        route.request().method() === "PATCH" ? undefined : route.continue(),
      );
      await selectContacts(page);
      await page.getByRole("button", { name: workWords.actions.archived, exact: true }).click();
      await page.getByRole("button", { name: workWords.outcome.undo }).waitFor();
    },
  },
  {
    name: "inbox-panel-undo",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await openContact(page);
      await page.route("**/rest/v1/contacts?*", (route) =>
        route.request().method() === "PATCH" ? undefined : route.continue(),
      );
      await page.getByRole("button", { name: workWords.actions.spam, exact: true }).click();
      await page.getByRole("button", { name: workWords.outcome.undo }).waitFor();
    },
  },
  {
    name: "inbox-deletion",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await selectContacts(page);
      await page.getByRole("button", { name: workWords.actions.delete, exact: true }).click();
    },
  },
  {
    name: "inbox-shortcuts",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.getByRole("table").waitFor();
      await page.keyboard.press("?");
    },
  },
  {
    name: "inbox-chart-table",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.getByRole("table").waitFor();
      const toggle = page.getByRole("button", { name: chartWords.title, exact: true });
      if ((await toggle.getAttribute("aria-expanded")) === "false") await toggle.click();
      await page.getByRole("button", { name: chartWords.showTable }).click();
    },
  },
  {
    name: "inbox-download",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.route(/\/contacts\?.*or=/, () => {});
      await page.getByRole("button", { name: exportWords.download }).click();
      await page.getByRole("button", { name: exportWords.cancel }).waitFor();
    },
  },
  {
    name: "inbox-empty",
    path: "/admin/contacts",
    as: "admin",
    act: async (page) => {
      await answerNews(page, { unread: 0, newest_at: null });
      await answerContacts(page, { json: [] }, inboxMessages.empty);
    },
  },
  {
    name: "inbox-done",
    path: "/admin/contacts",
    as: "admin",
    act: (page) => answerContacts(page, { json: [] }, inboxWords.done.title),
  },
  {
    name: "inbox-spam",
    path: "/admin/contacts?state=spam",
    as: "admin",
    act: (page) => page.getByText(inboxWords.markedAsSpam).first().waitFor(),
  },
  {
    name: "inbox-all",
    path: "/admin/contacts?state=all",
    as: "admin",
    act: (page) => page.getByRole("table").waitFor(),
  },
  {
    name: "inbox-found",
    path: "/admin/contacts?search=heron&from=2026-01-01",
    as: "admin",
    act: async (page) => {
      await page.getByRole("table").waitFor();
      await page.getByText(inboxWords.find.clear).waitFor();
    },
  },
  {
    name: "inbox-filters",
    path: "/admin/contacts?interest=consulting",
    as: "admin",
    narrowerThan: 960,
    act: async (page) => {
      await page.getByRole("table").waitFor();
      await page.getByRole("button", { name: inboxWords.find.filter(1) }).click();
    },
  },
  {
    name: "inbox-nothing-found",
    path: "/admin/contacts?search=capybara&interest=consulting&from=2026-01-05",
    as: "admin",
    act: (page) => page.getByText(inboxWords.nothing.title).waitFor(),
  },
  {
    name: "inbox-news",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.getByRole("table").waitFor();
      // The list begins with the second contact, as if the first one had arrived since it was read.
      const at = await page.getByRole("time").nth(1).getAttribute("datetime");
      await page.route(contactsCall, (route, request) =>
        /or=|contacts_per_week/.test(request.url())
          ? route.continue()
          : route.continue({ url: `${request.url()}&submitted_at=lte.${encodeURIComponent(at ?? "")}` }),
      );
      await page.reload();
      await page.getByRole("button", { name: inboxWords.arrived(1) }).waitFor();
    },
  },
  {
    name: "inbox-offline",
    path: "/admin/contacts",
    as: "admin",
    windowOnly: true,
    act: async (page) => {
      await page.getByRole("table").waitFor();
      await page.context().setOffline(true);
      await page.getByText(inboxWords.offline("").trim()).waitFor();
    },
  },
  {
    name: "inbox-older-place",
    path: "/admin/contacts?at=2026-11-10T00:00:00Z",
    as: "admin",
    act: (page) => page.getByRole("button", { name: inboxWords.newest }).waitFor(),
  },
  {
    name: "inbox-unanswered",
    path: "/admin/contacts",
    as: "admin",
    act: async (page) => {
      await page.route(contactsCall, (route) => route.abort());
      await page.reload();
      await page.getByText(inboxWords.unanswered).waitFor();
    },
  },
  {
    name: "inbox-failed",
    path: "/admin/contacts",
    as: "admin",
    act: (page) => answerContacts(page, { status: 500, json: {} }, inboxMessages.notLoaded),
  },
  { name: "inbox-loading", path: "/admin/contacts", as: "admin", withoutJavaScript: true },
  {
    name: "inbox-denied",
    path: "/admin/contacts",
    as: "member",
    act: (page) => page.getByText(inboxMessages.notAdmin).waitFor(),
  },
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

async function openContact(page: Page) {
  await page.getByRole("link", { name: "Noor Kestrel", exact: true }).first().click();
  await page.getByText(workWords.panel.loading).waitFor({ state: "hidden" });
}

async function selectContacts(page: Page) {
  for (const index of [0, 2, 3])
    await page
      .getByRole("row")
      .getByRole("checkbox", { name: /^Select [^a]/ })
      .nth(index)
      .check();
}

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

/** Answers the page's request for the contacts with `answer`. The page has already loaded them, so it is reloaded. */
async function answerContacts(page: Page, answer: object, message: string) {
  await page.route(contactsCall, (route) => route.fulfill(answer));
  await page.reload();
  await page.getByText(message).waitFor();
}

function answerNews(page: Page, news: object) {
  return page.route("**/rest/v1/rpc/inbox_news", (route) =>
    route.fulfill({ json: [{ unread_is_estimate: false, revision: 1, ...news }] }),
  );
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
