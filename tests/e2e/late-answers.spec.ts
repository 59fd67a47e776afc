import type { Page } from "@playwright/test";
import { contactWords } from "#content/contact";
import { inboxWords, workWords } from "#content/inbox";
import { correctionWords } from "#content/inbox-on-demand";
import { secondFactorWords } from "#content/second-factor";
import { totpCode } from "../support/totp.ts";
import { rowLink } from "./support/contacts.ts";
import { expectConsoleError, hold, holdRequests } from "./support/fixtures.ts";
import { expect, listCall, rows, test as withContacts } from "./support/inbox.ts";
import { submitCode, test } from "./support/second-factor.ts";

/** An answer that arrives late moves nothing under a person who does something else by then. */

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true });

/** Lets the answers of these requests arrive, and waits until the page has drawn them. */
async function release(page: Page, letGo: () => void, path: string | RegExp) {
  const answered = page.waitForResponse(path);
  letGo();
  await (await answered).finished();
  await page.unrouteAll({ behavior: "wait" });
  await page.evaluate(drawn);
}

const drawn = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));

test("a correction that was left while it was saved takes no focus", async ({
  page,
  admin,
  startSession,
  storePeople,
}) => {
  const { address } = await storePeople(["Ada Heron"]);
  await startSession(admin);
  await page.goto(address());
  await rowLink(page, "Ada Heron").click();
  await button(page, workWords.panel.more).click();
  await button(page, workWords.correction.open).click();
  const panel = page.getByRole("region", { name: workWords.panel.label });
  await panel.getByLabel(contactWords.name, { exact: true }).fill("Ada Wren");
  const saved = /\/rest\/v1\/contacts\?id=eq/;
  const letGo = await holdRequests(page, saved);
  await button(page, correctionWords.save).click();
  await button(page, correctionWords.cancel).click();
  const note = page.getByLabel(workWords.note.label, { exact: true });
  await note.fill("Call her.");
  await release(page, letGo, saved);
  await expect(page.getByRole("heading", { name: "Ada Wren" })).toBeVisible();
  await expect(note).toBeFocused();
});

test("a change of this page is no news, and one of another administrator is", async ({
  page,
  admin,
  startSession,
  storePeople,
}) => {
  const { address } = await storePeople(["Ada Heron", "Bea Heron"]);
  const news = { unread: 7, newest_at: "2026-03-01T12:00:00+00:00", revision: 3 };
  await page.route("**/rpc/inbox_news*", (route) => route.fulfill({ json: news }));
  const lists: string[] = [];
  page.on("request", (request) => listCall.test(request.url()) && lists.push(request.url()));
  const hearNews = async () => {
    const heard = page.waitForResponse("**/rpc/inbox_news*");
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await (await heard).finished();
    await page.evaluate(drawn);
  };
  await startSession(admin);
  await page.goto(address({ state: "new" }));
  await rowLink(page, "Ada Heron").focus();
  await hearNews();
  expect(lists).toHaveLength(1);
  for (const key of ["#", "z"]) {
    const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
    Object.assign(news, { unread: key === "#" ? 6 : 7, revision: news.revision + 1 });
    await page.keyboard.press(key);
    await answered;
    await hearNews();
  }
  await expect(rows(page)).toHaveCount(2);
  expect(lists).toHaveLength(1);
  news.revision += 1;
  await hearNews();
  await expect.poll(() => lists.length).toBe(2);
});

withContacts(
  "an older page takes no focus from a search, and no place in its list",
  async ({ page, admin, startSession, storeContacts }) => {
    const word = `word${Date.now()}`;
    await storeContacts(55, { name: word });
    await storeContacts(1, { name: `${word} linnet`, ahead: "-1 hour" });
    await startSession(admin);
    await page.goto(`/admin/contacts?search=${word}`);
    await expect(rows(page)).toHaveCount(50);
    const older = hold();
    await page.route(listCall, async (route, request) => {
      if (request.url().includes("submitted_at=lte.")) await older.released;
      await route.continue();
    });
    await button(page, inboxWords.older).click();
    const search = page.getByRole("searchbox");
    await search.press("End");
    await search.pressSequentially(" linnet");
    await expect(page).toHaveURL(`/admin/contacts?search=${word}+linnet`);
    await expect(rows(page)).toHaveCount(1);
    await release(page, older.release, listCall);
    await expect(search).toBeFocused();
    await expect(page).toHaveURL(`/admin/contacts?search=${word}+linnet`);
  },
);

test("the removal of a device does not end the set-up of another one", async ({
  page,
  admin,
  addApp,
  startSession,
}) => {
  // The answers for a session before the second factor, and for an account without recovery codes.
  for (const status of ["401", "404"]) expectConsoleError(status);
  const secret = await addApp(admin);
  await startSession(admin);
  await page.goto("/account");
  await button(page, secondFactorWords.verify.button).click();
  await submitCode(page, totpCode(secret));
  const { list, removal, naming } = secondFactorWords;
  const factors = /\/auth\/v1\/factors\/[0-9a-f]+-[^/]+$/;
  const letGo = await holdRequests(page, factors);
  await button(page, list.removeWhich("Phone")).click();
  await button(page, removal.confirm).click();
  await button(page, secondFactorWords.addAnother).click();
  const name = page.getByLabel(naming.label, { exact: true });
  await name.fill("Tablet");
  const reloaded = page.waitForResponse("**/auth/v1/user");
  await release(page, letGo, factors);
  await (await reloaded).finished();
  await page.evaluate(drawn);
  await expect(name).toHaveValue("Tablet");
});
