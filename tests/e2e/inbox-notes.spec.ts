import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { inboxWords, workWords } from "#content/inbox";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expireSession, storeSession } from "./support/accounts.ts";
import { submitLogin } from "./support/auth-forms.ts";
import { expect, rowLink, test } from "./support/contacts.ts";
import { expectConsoleError } from "./support/fixtures.ts";

const { note, panel } = workWords;

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("another account that logs in in another tab has its own inbox here, and a typed note waits for its writer", async ({
  page,
  context,
  admin,
  addMember,
  setAdmin,
  sessionOf,
  storePeople,
}) => {
  expectConsoleError("Failed to load resource");
  const colleague = await addMember(`colleague-${admin.email}`);
  await setAdmin(colleague.email, true);
  const { people } = await storePeople(["Ada Heron"]);
  const field = page.getByLabel(note.label, { exact: true });
  await page.goto(`/admin/contacts?contact=${people[0]?.id}`);
  await field.fill("For my eyes only.");

  const other = await context.newPage();
  await other.goto("/thanks");
  for (const [account, text] of [
    [colleague, ""],
    [admin, "For my eyes only."],
  ] as const) {
    const reloaded = page.waitForEvent("load");
    await storeSession(other, await sessionOf(account));
    await reloaded;
    await expect(field).toHaveValue(text);
  }
});

test("a note is saved, and never overwrites a newer one", async ({ page, database, storePeople }) => {
  const { people } = await storePeople(["Ada Heron"]);
  const id = people[0]?.id ?? "";
  const stored = async () => (await database.query("select note from contacts where id = $1", [id])).rows[0]?.note;
  const saveElsewhere = (text: string) => database.query("update contacts set note = $1 where id = $2", [text, id]);
  const field = page.getByLabel(note.label, { exact: true });
  await page.goto(`/admin/contacts?contact=${id}`);

  await field.fill("Mine.");
  await page.keyboard.press("Control+Enter");
  await expect(page.getByText(note.saved, { exact: true })).toBeVisible();
  expect(await stored()).toBe("Mine.");

  await test.step("the newer note is shown beside what was typed, and both are kept", async () => {
    await field.fill("Mine, again.");
    await saveElsewhere("Theirs.");
    // The news of the other's change may arrive before this, and then nothing is saved either.
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText(note.newer)).toBeVisible();
    await expect(page.getByRole("alert")).toContainText("Theirs.");
    await expect(field).toHaveValue("Mine, again.");
    expect(await stored()).toBe("Theirs.");
    await expectNoAccessibilityProblems(page, { within: thePanel });
    await button(page, note.both).click();
    await expect(field).toHaveValue("Theirs.\n\nMine, again.");
    await button(page, note.save).click();
    await expect(page.getByText(note.saved, { exact: true })).toBeVisible();
    expect(await stored()).toBe("Theirs.\n\nMine, again.");
  });
  await test.step("two notes that are too long together are not cut", async () => {
    await field.fill("m".repeat(3000));
    await saveElsewhere("t".repeat(3000));
    await page.keyboard.press("Control+Enter");
    await button(page, note.both).click();
    await expect(field).toHaveValue(`${"t".repeat(3000)}\n\n${"m".repeat(3000)}`);
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText(note.tooLong)).toBeVisible();
    expect(await stored()).toBe("t".repeat(3000));
  });
  await test.step("what was not saved survives a reload, and knows which note it was written for", async () => {
    await field.fill("Typed before the reload.");
    await saveElsewhere("Newer.");
    await page.reload();
    await expect(field).toHaveValue("Typed before the reload.");
    await expect(page.getByRole("alert")).toContainText("Newer.");
    await button(page, note.replace).click();
    await expect(page.getByText(note.saved, { exact: true })).toBeVisible();
    expect(await stored()).toBe("Typed before the reload.");
  });
  await test.step("a contact that was deleted meanwhile leaves the text on the screen", async () => {
    await field.fill("Too late.");
    await database.query("delete from contacts where id = $1", [id]);
    await page.keyboard.press("Control+Enter");
    await expect(page.getByText(note.gone).or(heading(page, panel.gone))).toBeVisible();
    await page.reload();
    await expect(heading(page, panel.gone)).toBeVisible();
    await expect(page.getByText("Too late.")).toBeVisible();
    await button(page, note.discard).click();
    await button(page, panel.toList).click();
    await expect(page.getByText(note.waiting(1))).toHaveCount(0);
  });
});

test("a note whose panel is closed before the answer is saved, and what is typed meanwhile is kept", async ({
  page,
  database,
  storePeople,
}) => {
  const { people, address } = await storePeople(["Ada Heron"]);
  const id = people[0]?.id ?? "";
  const stored = async () => (await database.query("select note from contacts where id = $1", [id])).rows[0]?.note;
  const field = page.getByLabel(note.label, { exact: true });
  /** Types and saves the note, and closes the panel. The returned function lets the answer arrive. */
  async function saveAndClose(text: string) {
    const held = Promise.withResolvers<void>();
    const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.route(/\/rest\/v1\/contacts\?/, async (route) => {
      const answer = await route.fetch();
      if (route.request().method() === "PATCH") await held.promise;
      await route.fulfill({ response: answer });
    });
    await field.fill(text);
    await page.keyboard.press("Control+Enter");
    await expect.poll(stored).toBe(text);
    // What is being saved can no longer be discarded.
    await expect(button(page, note.discard)).toHaveCount(0);
    await page.keyboard.press("Escape");
    await page.keyboard.press("Escape");
    await expect(field).toHaveCount(0);
    return async () => {
      held.resolve();
      await (await answered).finished();
      await page.unrouteAll({ behavior: "wait" });
    };
  }

  await page.goto(address());
  await rowLink(page, "Ada Heron").click();
  const answer = await saveAndClose("Saved.");
  await answer();
  await expect(page.getByText(note.waiting(1))).toHaveCount(0);
  await rowLink(page, "Ada Heron").click();
  await expect(field).toHaveValue("Saved.");
  await expect(button(page, note.discard)).toHaveCount(0);

  const answerLater = await saveAndClose("Saved again.");
  await rowLink(page, "Ada Heron").click();
  await field.fill("Saved again. And more.");
  await answerLater();
  await expect(field).toHaveValue("Saved again. And more.");
  await page.reload();
  await expect(field).toHaveValue("Saved again. And more.");
  await button(page, note.save).click();
  await expect(page.getByText(note.saved, { exact: true })).toBeVisible();
  expect(await stored()).toBe("Saved again. And more.");
});

test("a note typed when the session ends is kept for its writer, and for no other", async ({
  page,
  database,
  admin,
  setAdmin,
  startSession,
  addMember,
  storePeople,
}) => {
  expectConsoleError("Failed to load resource");
  const { people, address } = await storePeople(["Ada Heron"]);
  const field = page.getByLabel(note.label, { exact: true });
  await page.goto(address());
  await rowLink(page, "Ada Heron").click();
  await field.fill("Half a thou");
  await database.query("delete from auth.sessions where user_id = (select id from auth.users where email = $1)", [
    admin.email,
  ]);
  // The page may have noticed the end of the session by itself.
  await page.keyboard.press("Control+Enter");
  await expect(page).toHaveURL("/auth");

  const colleague = await addMember(`colleague-${admin.email}`);
  await setAdmin(colleague.email, true);
  await startSession(colleague);
  await page.goto(address());
  await rowLink(page, "Ada Heron").click();
  await expect(field).toHaveValue("");
  await button(page, panel.close).click();
  await expect(page.getByText(note.waiting(1))).toHaveCount(0);

  await startSession(admin);
  await page.goto("/admin/contacts");
  await page.getByRole("link", { name: note.open(1) }).click();
  await expect(field).toHaveValue("Half a thou");
  await expect(page.getByText(note.restored)).toBeVisible();
  expect(people[0]?.id).toBeDefined();
});

/** The part of the page that axe checks where the rest has been checked before. */
const thePanel = "[data-contact-panel]";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });

test("an inbox left open overnight has the news in the morning, and an ended session leads back to the note", async ({
  page,
  admin,
  sessionOf,
  storePeople,
  database,
}) => {
  expectConsoleError("Failed to load resource");
  const day = 24 * 60 * 60 * 1000;
  const family = randomUUID();
  const { people } = await storePeople([`Ada ${family}`]);
  const address = `/admin/contacts?search=${family}&contact=${people[0]?.id}`;
  await database.query("update contacts set submitted_at = now() - interval '1 day 1 second' where id = $1", [
    people[0]?.id,
  ]);
  // It was opened a day ago, and the access token ends meanwhile.
  await page.clock.install({ time: Date.now() - day });
  await storeSession(page, expireSession(await sessionOf(admin)));
  await page.goto(address);
  const field = page.getByLabel(note.label, { exact: true });
  const time = page
    .getByRole("row")
    .filter({ hasText: `Ada ${family}` })
    .getByRole("time");
  await expect(time).toHaveText(/\d:\d\d/);
  await field.fill("Call her back.");
  const before = await field.boundingBox();
  await storePeople([`Bea ${family}`]);
  // Newer than what other tests store.
  await database.query("update contacts set submitted_at = now() + interval '3 hours' where name = $1", [
    `Bea ${family}`,
  ]);

  await page.clock.fastForward(day);
  await expect(page.getByRole("button", { name: inboxWords.arrived(1) })).toBeVisible();
  await expect(time).not.toHaveText(/\d/);
  await expect(page).toHaveTitle(/^\([\d,]+\) /);
  expect(await field.boundingBox()).toEqual(before);

  await database.query("delete from auth.sessions where user_id = (select id from auth.users where email = $1)", [
    admin.email,
  ]);
  await page.clock.runFor(20_000);
  await expect(page).toHaveURL("/auth");
  await submitLogin(page, admin);
  await expect(page).toHaveURL(address);
  await expect(field).toHaveValue("Call her back.");
});
