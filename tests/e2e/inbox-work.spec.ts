import type { Page } from "@playwright/test";
import { contactWords } from "#content/contact";
import { inboxWords, workWords } from "#content/inbox";
import { correctionWords, shortcutWords } from "#content/inbox-on-demand";
import { contactMessages } from "#content/messages";
import { replies, replyWords } from "#content/replies";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, lastChange, rowLink, test } from "./support/contacts.ts";
import { expectConsoleError, labelOf } from "./support/fixtures.ts";
import { listCall } from "./support/inbox.ts";

const { actions, correction, note, outcome, panel, selection } = workWords;

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("a contact opens at its address with all about it", async ({ page, storePeople, statesOf, database }) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"], { email: "shared@a.example.com" });
  const [, bea] = people;
  // Spam is not in the list of this view, but its contacts have addresses too.
  await storePeople(["Dora Heron"], { email: "un-shared@a.example.com" });
  const { people: others } = await storePeople(["Cleo Heron"], { email: "shared@a.example.com", state: "spam" });

  await test.step("with a link to reply, and the others from the same address", async () => {
    await page.goto(address());
    const before = await rowLink(page, "Bea Heron").boundingBox();
    await rowLink(page, "Ada Heron").click();
    await expect(heading(page, "Ada Heron")).toBeFocused();
    expect((await rowLink(page, "Bea Heron").boundingBox())?.y).toBe(before?.y);
    const reply = page.getByRole("link", { name: panel.reply });
    await expect(reply).toHaveAttribute("href", /^mailto:shared@a\.example\.com\?subject=[^&]+&body=[^&]*Ada%20Heron/);
    const items = page.getByRole("region", { name: panel.label }).getByRole("listitem");
    const links = items.filter({ has: page.getByRole("link") });
    await expect(links).toHaveCount(2);
    await expect(links.filter({ hasText: inboxWords.states.spam })).toHaveCount(1);
    await expectNoAccessibilityProblems(page, { within: "html", dark: true });
    await page.setViewportSize({ width: 360, height: 740 });
    await expectNoAccessibilityProblems(page, { within: "html" });
    await page.setViewportSize({ width: 1440, height: 900 });

    await links.filter({ hasText: inboxWords.states.spam }).getByRole("link").click();
    await expect(heading(page, "Cleo Heron")).toBeFocused();
    await page.goBack();
    await expect(heading(page, "Ada Heron")).toBeFocused();
  });
  await test.step("Previous, Next and Close", async () => {
    await button(page, panel.next).click();
    await expect(heading(page, "Bea Heron")).toBeFocused();
    await button(page, panel.previous).click();
    await button(page, panel.close).click();
    await expect(rowLink(page, "Ada Heron")).toBeFocused();
    expect(await statesOf(people)).toEqual({ "Ada Heron": "new", "Bea Heron": "new" });
  });
  await test.step("also if the list does not have it", async () => {
    await page.goto(`/admin/contacts?contact=${others[0]?.id}`);
    await button(page, actions.notSpam).click();
    await expect(lastChange(page)).toContainText(outcome.notSpam("Cleo Heron"));
    await expectNoAccessibilityProblems(page, { within: "[data-last-change]" });
    await expect.poll(() => statesOf(others)).toEqual({ "Cleo Heron": "new" });
    await expect(heading(page, "Cleo Heron")).toBeVisible();
  });
  await test.step("a contact that is gone says so, and a failure can be retried", async () => {
    await page.goto("/admin/contacts?contact=00000000-0000-4000-8000-000000000000");
    await expect(heading(page, panel.gone)).toBeVisible();
    await expectNoAccessibilityProblems(page, { within: thePanel });

    expectConsoleError("Failed to load resource");
    const call = "**/rest/v1/contacts?*id=eq.*";
    await page.route(call, (route) => route.fulfill({ status: 400, json: { message: "Not today." } }));
    await page.goto(`/admin/contacts?contact=${bea?.id}`);
    await expect(heading(page, panel.failed)).toBeVisible();
    await expect(page.getByText("Not today.")).toBeVisible();
    await page.unroute(call);
    await button(page, inboxWords.tryAgain).click();
    await expect(heading(page, "Bea Heron")).toBeVisible();
  });
  await test.step("a correction is refused with the form's sentence, then saved", async () => {
    await chooseFromMenu(page, correction.open);
    const form = page.getByRole("region", { name: panel.label });
    const email = form.getByLabel(contactWords.email);
    await email.fill("not an address");
    await button(page, correctionWords.save).click();
    await expect(form.getByText(contactMessages.noEmail)).toBeVisible();
    await expect(email).toBeFocused();
    await expectNoAccessibilityProblems(page, { within: thePanel });
    await form.getByLabel(contactWords.name, { exact: true }).evaluate((field) => {
      field.addEventListener("focus", () => document.body.setAttribute("data-jumped", ""));
    });
    await button(page, correctionWords.save).click();
    await expect(email).toBeFocused();
    await expect(page.locator("body")).not.toHaveAttribute("data-jumped");
    // Meanwhile another administrator corrects another field.
    await database.query("update contacts set interest = 'partnerships' where id = $1", [bea?.id]);
    const read = page.waitForResponse(/\/contacts\?.*id=eq\./);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await read;
    await email.fill(" Bea.Heron@B.example.com ");
    await form.getByLabel(contactWords.name, { exact: true }).fill("Bea <Heron>-Wren");
    await button(page, correctionWords.save).click();
    await expect(heading(page, "Bea Heron-Wren")).toBeVisible();
    await expect(form.getByRole("link", { name: "bea.heron@b.example.com" })).toBeVisible();
    await expect(form.getByText(labelOf("partnerships"))).toBeVisible();
    await expect(button(page, panel.more)).toBeFocused();
  });
});

test("a contact leaves the list once a correction takes it out of the filter", async ({ page, storePeople }) => {
  const { address } = await storePeople(["Ada Heron", "Bea Heron"]);
  await page.goto(address({ interest: "consulting" }));
  await rowLink(page, "Ada Heron").click();
  await chooseFromMenu(page, correction.open);
  const form = page.getByRole("region", { name: panel.label });
  await form.getByLabel(inboxWords.columns.interest).selectOption("partnerships");
  await button(page, correctionWords.save).click();
  await expect(form.getByText(labelOf("partnerships"))).toBeVisible();
  await expect(rowLink(page, "Ada Heron")).toHaveCount(0);
  await expect(rowLink(page, "Bea Heron")).toBeVisible();
});

test("a reply opens with its words, and is followed by what comes next", async ({
  page,
  context,
  storePeople,
  statesOf,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  await page.goto(address());
  await rowLink(page, "Ada Heron").click();
  const reply = page.getByRole("link", { name: panel.reply, exact: true });
  const handled = page.getByRole("button", { name: replyWords.handled });

  await test.step("the menu is the platform's, and its Escape leaves the contact open", async () => {
    await expect(reply).toHaveAttribute("href", /body=/);
    await button(page, panel.more).press("Enter");
    await expect(button(page, actions.delete)).toBeVisible();
    await expectNoAccessibilityProblems(page, { within: thePanel, dark: true });
    await page.keyboard.press("Escape");
    await expect(button(page, actions.delete)).toHaveCount(0);
    await expect(button(page, panel.more)).toBeFocused();
    await button(page, panel.more).click();
    // The press that closes it does nothing else, which Playwright takes for a hindrance.
    await rowLink(page, "Bea Heron").click({ force: true });
    await expect(button(page, actions.delete)).toHaveCount(0);
    await expect(heading(page, "Ada Heron")).toBeVisible();
  });
  await test.step("the text can be copied, also of another template", async () => {
    await button(page, panel.more).click();
    await page.getByRole("link", { name: panel.replyWith(replies.general.label) }).click();
    await expect(page.getByText(replyWords.opened(replies.general.label))).toBeVisible();
    await button(page, replyWords.copy).click();
    await expect(page.getByText(replyWords.copied)).toBeVisible();
    const text = replies.general.text({ name: "Ada Heron", company: "", interest: labelOf("consulting") });
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(text);
    await expectNoAccessibilityProblems(page, { within: thePanel });
    await button(page, replyWords.dismiss).click();
    await expect(button(page, panel.more)).toBeFocused();
  });
  await test.step("the contact is marked as handled once, and that can be undone", async () => {
    await reply.click();
    await handled.click();
    await expect(handled).toHaveCount(0);
    await expect.poll(() => statesOf(people)).toEqual({ "Ada Heron": "handled", "Bea Heron": "new" });
    await lastChange(page).getByRole("button", { name: outcome.undo }).click();
    await expect.poll(() => statesOf(people)).toEqual({ "Ada Heron": "new", "Bea Heron": "new" });
    await expect(handled).toHaveCount(0);
  });
  await test.step("or without a reply", async () => {
    await button(page, actions.handled).click();
    await expect(lastChange(page)).toContainText(outcome.handled("Ada Heron"));
    await expect(button(page, actions.handled)).toHaveCount(0);
  });
});

test("keys go on into the next page, and Shift selects a range", async ({ page, database, storePeople }) => {
  const names = Array.from({ length: 52 }, (_, index) => `Person ${index}`);
  const { people, address } = await storePeople(names);
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await page.goto(address());
  // The page cannot scroll up past its beginning.
  for (const name of ["Person 1", "Person 0"]) await expectNameStaysInPlace(page, name);
  await rowLink(page, "Person 30").focus();
  // The page keeps up with keys that are pressed quickly.
  for (let pressed = 0; pressed < 19; pressed++) await page.keyboard.press("j");
  const bottom = await page.evaluate(() => document.activeElement?.getBoundingClientRect().bottom);
  expect(bottom).toBeLessThan(page.viewportSize()?.height ?? 0);
  await page.keyboard.press("j");
  await expect(rowLink(page, "Person 50")).toBeFocused();
  for (const key of ["j", "k"]) await page.keyboard.press(key);
  await expect(rowLink(page, "Person 50")).toBeFocused();
  await expectNameStaysInPlace(page, "Person 50");

  await test.step("what could not be loaded is not gone on to later", async () => {
    expectConsoleError("Failed to load resource");
    await page.goto(address());
    await rowLink(page, "Person 49").click();
    await page.route(listCall, (route) => route.fulfill({ status: 500, json: { message: "Not today." } }));
    await button(page, panel.next).click();
    await expect(page.getByText("Not today.")).toBeVisible();
    await page.unroute(listCall);
    await button(page, inboxWords.older).click();
    await expect(rowLink(page, "Person 50")).toBeFocused();
    await expect(heading(page, "Person 49")).toBeVisible();
    await button(page, panel.next).click();
    await expect(heading(page, "Person 50")).toBeFocused();
  });
  await test.step("a contact that has left the list leads back to the row in its place", async () => {
    await rowLink(page, "Person 30").click();
    await database.query("update contacts set state = 'archived' where id = $1", [people[30]?.id]);
    await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
    await expect(rowLink(page, "Person 30")).toHaveCount(0);
    await page.keyboard.press("Escape");
    await expect(rowLink(page, "Person 31")).toBeFocused();
  });

  const box = (name: string) => page.getByRole("checkbox", { name: selection.one(name), exact: true });
  const bar = page.getByRole("region", { name: selection.actions });
  await box("Person 4").click();
  await box("Person 1").click({ modifiers: ["Shift"] });
  await expect(bar).toContainText(selection.count(4));
  await bar.getByRole("button", { name: selection.all }).click();
  await expect(bar).toContainText(selection.count(51));
  const whole = page.getByRole("checkbox", { name: selection.whole });
  await whole.uncheck();
  await expect(bar).toHaveCount(0);
  await whole.check();
  await expect(bar).toContainText(selection.count(51));
  await rowLink(page, "Person 2").click();
  await expect(bar).toHaveCount(0);
  // The second click of a double click does not change the next contact too.
  await button(page, actions.archived).dblclick();
  await expect(heading(page, "Person 3")).toBeVisible();
});

test("a contact counts as read after two seconds, not when it is only passed by", async ({
  page,
  storePeople,
  database,
}) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  const readNames = async () => {
    const sql = "select name from contacts where read_by is not null and id = any($1)";
    return (await database.query(sql, [people.map(({ id }) => id)])).rows.map(({ name }) => name);
  };
  await page.clock.install();
  await page.goto(address());
  await expect(rowLink(page, "Bea Heron")).toBeVisible();
  // Less than the time limit of a request, which would otherwise end those under way.
  await page.clock.pauseAt(Date.now() + 5000);
  await rowLink(page, "Ada Heron").click();
  await page.clock.runFor(1900);
  await expect(heading(page, "Ada Heron")).toBeFocused();
  await page.keyboard.press("j");
  await page.clock.runFor(1900);
  await expect(heading(page, "Bea Heron")).toBeFocused();
  expect(await readNames()).toEqual([]);
  await page.clock.runFor(200);
  await expect.poll(readNames).toEqual(["Bea Heron"]);
});

test("a contact does not count as read in a tab that is not seen", async ({ page, storePeople, database }) => {
  const { people, address } = await storePeople(["Ada Heron"]);
  const isRead = async () => {
    const { rows } = await database.query("select read_by from contacts where id = $1", [people[0]?.id]);
    return rows[0]?.read_by !== null;
  };
  const show = (state: "hidden" | "visible") =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { configurable: true, value });
      document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
    }, state);
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "PATCH" && sent.push(request.url()));
  await page.clock.install();
  await page.goto(address());
  await expect(rowLink(page, "Ada Heron")).toBeVisible();
  await page.clock.pauseAt(Date.now() + 5000);
  await rowLink(page, "Ada Heron").click();
  await page.clock.runFor(1000);
  await show("hidden");
  await page.clock.runFor(5000);
  expect(sent).toEqual([]);
  await show("visible");
  await page.clock.runFor(2100);
  await expect.poll(isRead).toBe(true);
});

test("keys are silent while typing, and can be switched off", async ({ page, storePeople, statesOf }) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  await page.goto(address());
  await rowLink(page, "Ada Heron").click();
  await page.getByLabel(note.label, { exact: true }).pressSequentially("eax!#ju");
  await expect(heading(page, "Ada Heron")).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(heading(page, "Ada Heron")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(rowLink(page, "Ada Heron")).toBeFocused();

  await page.keyboard.press("/");
  await expect(page.getByLabel(inboxWords.find.search)).toBeFocused();
  await rowLink(page, "Ada Heron").focus();
  await page.keyboard.press("x");
  await expectNoAccessibilityProblems(page, { dark: true });
  await page.keyboard.press("Escape");
  await page.keyboard.press("x");
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: shortcutWords.title });
  await expect(help).toBeVisible();
  await expectNoAccessibilityProblems(page, { within: "dialog" });
  await page.keyboard.press("e");
  // Without a focus, a key is pressed on the page behind the dialog.
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await page.keyboard.press("e");
  await help.getByLabel(shortcutWords.switch).uncheck();
  await page.keyboard.press("Escape");
  await expect(rowLink(page, "Ada Heron")).toBeFocused();
  await page.reload();
  await rowLink(page, "Ada Heron").focus();
  for (const key of ["j", "e", "?"]) await page.keyboard.press(key);
  await expect(rowLink(page, "Ada Heron")).toBeFocused();
  await expect(help).toHaveCount(0);
  expect(await statesOf(people)).toEqual({ "Ada Heron": "new", "Bea Heron": "new" });
});

/** Beside the open contact the rows have other heights, but the one that is read stays where it is. */
async function expectNameStaysInPlace(page: Page, name: string) {
  const row = rowLink(page, name);
  const top = () => row.locator("bdi").evaluate((text) => text.getBoundingClientRect().top);
  await row.focus();
  const before = await top();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel(note.label, { exact: true })).toBeInViewport({ ratio: 1 });
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("region", { name: panel.label })).toHaveCount(0);
  expect(Math.abs((await top()) - before)).toBeLessThan(2);
}

async function chooseFromMenu(page: Page, name: string) {
  await button(page, panel.more).click();
  await button(page, name).click();
}

/** The part of the page that axe checks where the rest has been checked before. */
const thePanel = "[data-contact-panel]";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true });
const heading = (page: Page, name: string) => page.getByRole("heading", { name, exact: true });
