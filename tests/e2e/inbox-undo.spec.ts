import type { Page } from "@playwright/test";
import { workWords } from "#content/inbox";
import { expect, lastChange, rowLink, test } from "./support/contacts.ts";
import { expectConsoleError, hold } from "./support/fixtures.ts";
import { listCall } from "./support/inbox.ts";

const { deletion, outcome, selection } = workWords;

test.beforeEach(({ admin, startSession }) => startSession(admin));

/** Presses the key, and waits until the database has answered. */
async function pressAndWait(page: Page, key: string) {
  const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
  await page.keyboard.press(key);
  await (await answered).finished();
}

test("changes are undone one after the other, the last one first, each contact to its former state", async ({
  page,
  database,
  storePeople,
  statesOf,
}) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron", "Cleo Heron", "Dora Heron"]);
  await page.goto(address());
  await rowLink(page, "Ada Heron").focus();
  await pressAndWait(page, "e");
  await rowLink(page, "Dora Heron").focus();
  await pressAndWait(page, "e");
  for (const { name } of people.slice(0, 3)) await page.getByLabel(selection.one(name)).check();
  await page.keyboard.press("#");
  const confirm = page.getByRole("dialog").getByRole("button", { name: deletion.confirm(3) });
  const deleted = page.waitForResponse((response) => response.request().method() === "PATCH");
  await confirm.click();
  await (await deleted).finished();
  await expect(lastChange(page)).toContainText(outcome.deleted(outcome.contacts(3)));
  const before = { "Cleo Heron": "deleted", "Dora Heron": "handled" };
  expect(await statesOf(people)).toEqual({ ...before, "Ada Heron": "deleted", "Bea Heron": "deleted" });

  // Another administrator has changed one of them since.
  await database.query("update contacts set state = 'spam' where id = $1", [people[2]?.id]);
  await page.keyboard.press("z");
  await expect(rowLink(page, "Bea Heron")).toBeVisible();
  await expect(lastChange(page)).toContainText(outcome.missing(1));
  const after = { "Bea Heron": "new", "Cleo Heron": "spam" };
  await expect.poll(() => statesOf(people)).toEqual({ ...after, "Ada Heron": "handled", "Dora Heron": "handled" });
  await page.keyboard.press("z");
  await expect(lastChange(page)).toContainText(`${outcome.undone("Dora Heron")} ${outcome.handled("Ada Heron")}`);
  await page.keyboard.press("z");
  await expect(lastChange(page)).toHaveText(outcome.undone("Ada Heron"));
  await expect.poll(() => statesOf(people)).toEqual({ ...after, "Ada Heron": "new", "Dora Heron": "new" });
});

test("after a refused change, the one before it can be undone for ten seconds, and the message says which", async ({
  page,
  storePeople,
  statesOf,
}) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  await page.clock.install();
  await page.goto(address({ state: "new" }));
  const undo = lastChange(page).getByRole("button", { name: outcome.undo });
  const sent: string[] = [];
  page.on("request", (request) => request.method() === "PATCH" && sent.push(request.url()));
  for (const isLate of [false, true]) {
    await rowLink(page, "Ada Heron").focus();
    await pressAndWait(page, "e");
    expectConsoleError("Failed to load resource");
    await page.route("**/rest/v1/contacts?*", (route, request) =>
      request.method() === "PATCH" ? route.fulfill({ status: 400, json: { message: "Not today." } }) : route.continue(),
    );
    await rowLink(page, "Bea Heron").focus();
    await pressAndWait(page, "e");
    await expect(lastChange(page)).toContainText(`Not today. ${outcome.handled("Ada Heron")}`);
    await expect(undo).toBeVisible();
    await page.unroute("**/rest/v1/contacts?*");
    if (isLate) await page.clock.runFor(10_000);
    else await undo.click();
    // The time stands still while the pointer is at the notice.
    await page.mouse.move(0, 0);
    await expect(undo).toHaveCount(0);
  }
  await expect(lastChange(page)).toContainText("Not today.");
  await expect(lastChange(page)).not.toContainText("Ada Heron");
  expect(sent).toHaveLength(5);
  await page.keyboard.press("z");
  await page.keyboard.press("z");
  await lastChange(page).getByRole("button", { name: outcome.dismiss }).click();
  expect(sent).toHaveLength(5);
  expect(await statesOf(people)).toEqual({ "Ada Heron": "handled", "Bea Heron": "new" });
});

test("a change of several that is refused for some can be undone for the others", async ({
  page,
  database,
  storePeople,
  statesOf,
}) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron", "Cleo Heron"]);
  await page.goto(address());
  for (const { name } of people) await page.getByLabel(selection.one(name)).check();
  await database.query("delete from contacts where id = $1", [people[1]?.id]);
  await pressAndWait(page, "e");
  await expect(lastChange(page)).toContainText(outcome.missing(1));
  expect(await statesOf(people)).toEqual({ "Ada Heron": "handled", "Cleo Heron": "handled" });
  await pressAndWait(page, "z");
  await expect.poll(() => statesOf(people)).toEqual({ "Ada Heron": "new", "Cleo Heron": "new" });
});

test("a change that fails is taken back and told until it is dismissed, and cannot be undone", async ({
  page,
  storePeople,
  statesOf,
}) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  await page.clock.install();
  await page.goto(address({ state: "new" }));
  await rowLink(page, "Ada Heron").focus();
  const sent: string[] = [];
  const answers = [
    { status: 400, json: { message: "Not today." } },
    // What no server of ours answers ends in an error of the page.
    { status: 200, json: {} },
  ];
  for (const message of ["Not today.", outcome.failed]) {
    expectConsoleError(message === outcome.failed ? "TypeError" : "Failed to load resource");
    const answer = answers.shift();
    await page.route("**/rest/v1/contacts?*", (route, request) => {
      if (request.method() !== "PATCH") return route.continue();
      sent.push(request.url());
      return route.fulfill(answer);
    });
    await page.keyboard.press("e");
    await expect(lastChange(page)).toContainText(message);
    await expect(rowLink(page, "Ada Heron")).toBeVisible();
    await page.clock.runFor(30_000);
    await page.keyboard.press("z");
    await expect(lastChange(page)).toContainText(message);
    await page.unroute("**/rest/v1/contacts?*");
    await rowLink(page, "Ada Heron").focus();
  }
  expect(sent).toHaveLength(2);
  await lastChange(page).getByRole("button", { name: outcome.dismiss }).click();
  await expect(lastChange(page)).toHaveCount(0);
  await rowLink(page, "Ada Heron").focus();
  await page.keyboard.press("e");
  await expect(lastChange(page)).toContainText(outcome.handled("Ada Heron"));
  await expect.poll(() => statesOf(people)).toEqual({ "Ada Heron": "handled", "Bea Heron": "new" });
});

test("the time for an undo stands still at the notice", async ({ page, storePeople, statesOf }) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  await page.clock.install();
  await page.goto(address());
  await rowLink(page, "Ada Heron").focus();
  await page.keyboard.press("#");
  const undo = lastChange(page).getByRole("button", { name: outcome.undo });
  await undo.hover();
  await undo.focus();
  await page.mouse.move(0, 0);
  await page.clock.runFor(30_000);
  await expect(undo).toBeFocused();
  await undo.hover();
  await rowLink(page, "Bea Heron").focus();
  await page.clock.runFor(30_000);
  await expect(undo).toBeVisible();
  await page.mouse.move(0, 0);
  await page.clock.runFor(10_000);
  await expect(lastChange(page)).toHaveCount(0);
  expect(await statesOf(people)).toEqual({ "Ada Heron": "deleted", "Bea Heron": "new" });
});

const correctInterest = "update contacts set interest = 'partnerships' where id = $1";

test("the list is not read again between a change and its undo", { tag: "@rare" }, async ({
  page,
  storePeople,
  database,
}) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  const [change, undo] = [hold(), hold()];
  const events: string[] = [];
  await page.route("**/rest/v1/contacts?*", async (route, request) => {
    if (request.method() === "GET") return route.continue();
    const isUndo = request.postDataJSON()?.state === "new";
    await (isUndo ? undo : change).released;
    const response = await route.fetch();
    events.push(isUndo ? "undone" : "changed");
    await route.fulfill({ response });
  });
  await page.goto(address({ state: "new" }));
  await rowLink(page, "Ada Heron").focus();
  page.on("request", (request) => listCall.test(request.url()) && events.push("read"));
  await page.keyboard.press("e");
  await page.keyboard.press("z");
  await database.query(correctInterest, [people[1]?.id]);
  const news = page.waitForResponse("**/rpc/inbox_news");
  change.release();
  await (await news).finished();
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  undo.release();
  await expect.poll(() => events).toContain("read");
  expect(events.slice(0, 3)).toEqual(["changed", "undone", "read"]);
  await expect(rowLink(page, "Ada Heron")).toBeVisible();
});

test("a list that was read before an undo is read again", { tag: "@rare" }, async ({ page, storePeople, database }) => {
  const { people, address } = await storePeople(["Ada Heron", "Bea Heron"]);
  const early = hold();
  let readings = 0;
  await page.goto(address({ state: "new" }));
  await rowLink(page, "Ada Heron").focus();
  await page.route(listCall, async (route) => {
    const response = await route.fetch();
    const isEarly = ++readings === 1;
    if (isEarly) await early.released;
    await route.fulfill({ response });
  });
  await pressAndWait(page, "e");
  await database.query(correctInterest, [people[1]?.id]);
  await page.evaluate(() => window.dispatchEvent(new Event("visibilitychange")));
  await expect.poll(() => readings).toBe(1);
  await pressAndWait(page, "z");
  await expect(rowLink(page, "Ada Heron")).toBeVisible();
  await page.evaluate(() => {
    const rows = document.querySelectorAll("[data-contact]").length;
    const look = () =>
      document.querySelectorAll("[data-contact]").length < rows && document.body.setAttribute("data-left", "");
    new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  });
  early.release();
  await expect.poll(() => readings).toBeGreaterThan(1);
  // The answers reach the page before it is looked at, and before the test ends.
  await page.unrouteAll({ behavior: "wait" });
  await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))));
  await expect(page.locator("body")).not.toHaveAttribute("data-left");
});
