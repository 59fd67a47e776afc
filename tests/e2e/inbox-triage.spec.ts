import type { Locator, Page } from "@playwright/test";
import { inboxWords, workWords } from "#content/inbox";
import { expectNoAccessibilityProblems, findSmallTargets } from "./support/accessibility.ts";
import { expect, lastChange, rowLink, test } from "./support/contacts.ts";

const { actions, deletion, outcome, panel, selection } = workWords;
const names = ["Ada", "Bea", "Cleo", "Dora", "Edda", "Fay", "Gil", "Hedy", "Ivo", "Juno"].map((name) => `${name} Wren`);
const states = {
  "Ada Wren": "handled",
  "Bea Wren": "archived",
  "Cleo Wren": "spam",
  "Dora Wren": "new",
  "Edda Wren": "handled",
  "Fay Wren": "handled",
  "Gil Wren": "archived",
  "Hedy Wren": "archived",
  "Ivo Wren": "deleted",
  "Juno Wren": "handled",
};

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("ten contacts are worked through with the keyboard alone", async ({ page, storePeople, statesOf }) => {
  const { people, address } = await storePeople(names);
  const press = (keys: string) =>
    keys.split(" ").reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());
  const focused = (name: string) => expect(rowLink(page, name)).toBeFocused();
  await page.goto(address({ state: "new" }));
  await expect(rowLink(page, "Juno Wren")).toBeVisible();

  await test.step("the focus goes on to the next row when a row leaves", async () => {
    await press("j");
    await focused("Ada Wren");
    await press("e");
    await focused("Bea Wren");
    await expect(page.getByRole("status").filter({ hasText: outcome.handled("Ada Wren") })).toHaveCount(1);
    await press("a");
    await focused("Cleo Wren");
    await press("!");
    await focused("Dora Wren");
  });
  await test.step("an undo brings the contact back, and leaves the focus where it is", async () => {
    await press("e");
    await focused("Edda Wren");
    await press("z");
    await expect(rowLink(page, "Dora Wren")).toBeVisible();
    await focused("Edda Wren");
  });
  await test.step("selected contacts are changed together", async () => {
    await press("x j x e");
    await focused("Gil Wren");
    await expect(lastChange(page)).toContainText(outcome.handled(outcome.contacts(2)));
  });
  await test.step("the open contact is changed, and the panel goes on to the next one", async () => {
    await press("Enter");
    const heading = page.getByRole("heading", { name: "Gil Wren" });
    await expect(heading).toBeFocused();
    await press("a");
    await expect(page.getByRole("heading", { name: "Hedy Wren" })).toBeFocused();
    await press("j k a");
    await expect(page.getByRole("heading", { name: "Ivo Wren" })).toBeFocused();
    await press("Escape");
    await focused("Ivo Wren");
  });
  await test.step("a deletion moves on too, and the last row leaves the focus in the list", async () => {
    await press("#");
    await focused("Juno Wren");
    await press("e");
    await focused("Dora Wren");
  });
  await expect.poll(() => statesOf(people)).toEqual(states);
});

test("a deleted contact is under Deleted alone, where it is restored", async ({ page, storePeople, statesOf }) => {
  const { people, address } = await storePeople(["Ada Wren", "Bea Wren"], { email: "shared@deleted.example.com" });
  const button = (name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true });
  await page.goto(address({ state: "all" }));
  await rowLink(page, "Ada Wren").click();
  await button(panel.more).click();
  await button(actions.delete).click();
  await expect(page.getByRole("heading", { name: "Bea Wren" })).toBeFocused();
  await expect(lastChange(page).first()).toContainText(outcome.deleted("Ada Wren"));
  await expect.poll(() => statesOf(people)).toEqual({ "Ada Wren": "deleted", "Bea Wren": "new" });
  await page.reload();
  await expect(page.getByRole("heading", { name: workWords.history.title })).toBeVisible();
  await expect(page.getByText(panel.others)).toHaveCount(0);
  await expect(rowLink(page, "Ada Wren")).toHaveCount(0);

  await page.getByRole("button", { name: inboxWords.more }).click();
  await page.getByRole("link", { name: inboxWords.states.deleted, exact: true }).click();
  await expect(page).toHaveURL("/admin/contacts?state=deleted");
  const views = page.getByRole("navigation", { name: inboxWords.find.views });
  await expect(views.getByRole("link", { name: inboxWords.states.deleted })).toHaveAttribute("aria-current", "page");

  await page.goto(address({ state: "deleted" }));
  await expect(rowLink(page, "Bea Wren")).toHaveCount(0);
  await expectNoAccessibilityProblems(page, { within: "main" });
  await rowLink(page, "Ada Wren").click();
  await button(panel.more).click();
  await expect(button(workWords.correction.open)).toBeVisible();
  await expect(button(actions.delete)).toHaveCount(0);
  await page.keyboard.press("Escape");
  await button(actions.restore).click();
  await expect(lastChange(page)).toContainText(outcome.restored("Ada Wren"));
  await expect.poll(() => statesOf(people)).toEqual({ "Ada Wren": "new", "Bea Wren": "new" });
  await page.keyboard.press("z");
  await expect.poll(() => statesOf(people)).toEqual({ "Ada Wren": "deleted", "Bea Wren": "new" });
});

test.describe("on a phone", () => {
  test.use({ hasTouch: true, viewport: { width: 360, height: 740 } });

  test("ten contacts are worked through with a thumb", async ({ page, storePeople, statesOf }) => {
    const { people, address } = await storePeople(names);
    const button = (name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true });
    /** Taps a button that is in the lower half of the window, without scrolling. */
    const tapLow = async (name: string) => {
      const box = await button(name).boundingBox();
      expect(box?.y).toBeGreaterThan(370);
      expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(740);
      expect(Math.min(box?.height ?? 0, box?.width ?? 0)).toBeGreaterThanOrEqual(44);
      await button(name).tap();
    };
    const select = (name: string) => page.getByRole("checkbox", { name: selection.one(name) }).tap();
    await page.goto(address({ state: "new" }));
    await expect(rowLink(page, "Juno Wren")).toBeVisible();

    await test.step("several at once", async () => {
      for (const name of ["Ada Wren", "Edda Wren", "Fay Wren"]) await select(name);
      await expect(page.getByRole("region", { name: selection.actions })).toContainText(selection.count(3));
      expect(await findSmallTargets(page)).toEqual([]);
      await tapLow(actions.handled);
      await expect(rowLink(page, "Fay Wren")).toHaveCount(0);
    });
    await test.step("the bar does not cover the last row", async () => {
      await select("Juno Wren");
      await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
      const bar = await page.getByRole("region", { name: selection.actions }).boundingBox();
      const last = await page.getByRole("row").last().boundingBox();
      expect((last?.y ?? 0) + (last?.height ?? 0)).toBeLessThanOrEqual(bar?.y ?? 0);
      await expectNotPrinted(page, button(actions.handled));
      await tapLow(actions.handled);
    });
    await test.step("a short swipe changes nothing, and one to the left archives", async () => {
      await swipe(page, "Hedy Wren", 60);
      await expect(rowLink(page, "Hedy Wren")).toBeVisible();
      await swipe(page, "Hedy Wren", 160);
      await expect(rowLink(page, "Hedy Wren")).toHaveCount(0);
      await expect(lastChange(page)).toContainText(outcome.archived("Hedy Wren"));
    });
    await test.step("one after the other in the panel, which has the whole screen", async () => {
      await rowLink(page, "Bea Wren").tap();
      await expect(page.getByRole("heading", { name: "Bea Wren" })).toBeInViewport();
      await expectNotPrinted(page, button(actions.handled));
      await expect(page.getByRole("row")).toHaveCount(0);
      expect(await findSmallTargets(page)).toEqual([]);
      await tapLow(actions.archived);
      await expect(page.getByRole("heading", { name: "Cleo Wren" })).toBeInViewport();
      await tapLow(panel.more);
      await tapLow(panel.mark.spam);
      await expect(page.getByRole("heading", { name: "Dora Wren" })).toBeInViewport();
      await tapLow(panel.more);
      expect(await findSmallTargets(page)).toEqual([]);
      await page.keyboard.press("Escape");
      await tapLow(actions.handled);
      await tapLow(outcome.undo);
      await expect(lastChange(page)).toContainText(outcome.undone("Dora Wren"));
      await expect(page.getByRole("heading", { name: "Gil Wren" })).toBeVisible();
      await tapLow(actions.archived);
      await button(panel.close).tap();
      await expect(rowLink(page, "Ivo Wren")).toBeFocused();
    });
    await test.step("a deletion of several asks first", async () => {
      await select("Ivo Wren");
      await select("Dora Wren");
      await tapLow(actions.delete);
      await page.getByRole("dialog").getByRole("button", { name: deletion.cancel }).tap();
      await select("Dora Wren");
      await tapLow(actions.delete);
      await expect(rowLink(page, "Ivo Wren")).toHaveCount(0);
      await expect(rowLink(page, "Dora Wren")).toBeVisible();
    });
    await expect.poll(() => statesOf(people)).toEqual(states);
  });

  test("the mouse does not go on with the swipe of a row that is gone", async ({ page, storePeople }) => {
    const { address } = await storePeople(["Ada Wren", "Bea Wren"]);
    await page.goto(address({ state: "new" }));
    await rowLink(page, "Ada Wren").focus();
    const y = ((await rowLink(page, "Ada Wren").boundingBox())?.y ?? 0) + 5;
    const client = await page.context().newCDPSession(page);
    await client.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: [{ x: 280, y }] });
    await page.keyboard.press("e");
    await expect(rowLink(page, "Ada Wren")).toHaveCount(0);
    for (const x of [270, 200, 120]) await page.mouse.move(x, y);
    await expect(page.locator("[data-swiped]")).toHaveCount(0);
  });
});

async function expectNotPrinted(page: Page, button: Locator) {
  await expect(button).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(button).toBeHidden();
  await page.emulateMedia({ media: "screen" });
}

/** Swipes a row to the left. The finger stops before it lifts: Chromium takes the next tap as the end of a throw. */
async function swipe(page: Page, name: string, distance: number) {
  const box = await rowLink(page, name).boundingBox();
  const touch = (type: "touchStart" | "touchMove" | "touchEnd", moved?: number) => {
    const point = { x: 280 - (moved ?? 0), y: (box?.y ?? 0) + 5 };
    return client.send("Input.dispatchTouchEvent", { type, touchPoints: moved === undefined ? [] : [point] });
  };
  const client = await page.context().newCDPSession(page);
  await touch("touchStart", 0);
  for (let moved = 0; moved <= distance; moved += 20) await touch("touchMove", moved);
  await page.waitForTimeout(150);
  await touch("touchEnd");
}
