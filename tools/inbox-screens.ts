import type { Page, Route } from "@playwright/test";
import { workWords } from "#content/contact-work";
import { inboxWords } from "#content/inbox";
import { exportWords } from "#content/inbox-export";
import { inboxMessages } from "#content/messages";
import { chartWords } from "#content/weeks-chart";
import { contactsCall, type Screen } from "./screen.ts";

export const inboxScreens: readonly Screen[] = [
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
  {
    name: "inbox-set-up",
    path: "/admin/contacts",
    as: "admin",
    act: async (page) => {
      await page.route("**/rpc/second_factor_step", (route) => route.fulfill({ json: "set_up" }));
      await page.reload();
      await page.getByText(inboxWords.setUp.title).waitFor();
    },
  },
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
