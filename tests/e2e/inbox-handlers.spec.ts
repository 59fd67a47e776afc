import { inboxWords, workWords } from "#content/inbox";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, lastChange, rowLink, test } from "./support/contacts.ts";

const { handler: text, outcome, history } = workWords;
const { find } = inboxWords;

test("two administrators share contacts, see it in each other's list, and do not overwrite each other", async ({
  admin: ada,
  browser,
  page,
  addMember,
  setAdmin,
  startSession,
  storePeople,
}) => {
  const [mailbox = ""] = ada.email.split("@");
  const grace = await addMember(`grace-${ada.email}`);
  await setAdmin(grace.email, true);
  const { address } = await storePeople(["Bea Wren", "Cleo Wren", "Dora Wren", "Edda Wren", "Fay Wren"]);
  const gracesPage = await (await browser.newContext()).newPage();
  await startSession(ada);
  await startSession(grace, gracesPage);
  await page.goto(address());
  await gracesPage.goto(address());
  const badge = (where: typeof page, name: string) =>
    where.getByRole("row").filter({ hasText: name }).getByTitle("@example.com");

  await test.step("three contacts are handed to a colleague", async () => {
    for (const name of ["Bea Wren", "Cleo Wren", "Dora Wren"])
      await page.getByRole("checkbox", { name: workWords.selection.one(name) }).check();
    await page.getByRole("button", { name: text.assign }).click();
    await page.getByRole("button", { name: `grace-${mailbox}` }).click();
    await expect(lastChange(page)).toContainText(outcome.assigned(`grace-${mailbox}`, outcome.contacts(3)));
    await expect(badge(page, "Cleo Wren")).toHaveAttribute("title", grace.email);
    await expect(badge(page, "Edda Wren")).toBeHidden();
  });
  await test.step("the colleague sees it within the time that news takes", async () => {
    await expect(badge(gracesPage, "Dora Wren")).toHaveAttribute("data-mine", "true", { timeout: 15_000 });
  });
  await test.step("a key takes a contact, and an undo gives it back", async () => {
    await rowLink(page, "Dora Wren").focus();
    await page.keyboard.press("t");
    await expect(badge(page, "Dora Wren")).toHaveAttribute("data-mine", "true");
    await page.keyboard.press("z");
    await expect(badge(page, "Dora Wren")).toHaveAttribute("title", grace.email);
  });
  await test.step("a key gives a contact to somebody, and the focus comes back to its row", async () => {
    for (const time of ["first", "second"]) {
      await page.keyboard.press("g");
      await expect(page.getByRole("button", { name: text.me, exact: true }), time).toBeFocused();
      if (time === "first") await page.keyboard.press("Escape");
    }
    await page.keyboard.press("Enter");
    await expect(badge(page, "Dora Wren")).toHaveAttribute("data-mine", "true");
    await expect(rowLink(page, "Dora Wren")).toBeFocused();
  });
  await test.step("the open contact tells who has it, since when, and who has handled it", async () => {
    await rowLink(page, "Edda Wren").click();
    const panel = page.getByRole("region", { name: workWords.panel.label });
    await panel.getByRole("button", { name: text.to(text.nobody) }).click();
    await panel.getByRole("button", { name: text.me, exact: true }).click();
    await expect(panel.getByRole("button", { name: text.to(text.me) })).toBeFocused();
    await panel.getByLabel(workWords.note.label).fill("Called");
    await panel.getByRole("button", { name: workWords.note.save }).click();
    for (const what of [text.to, history.by.read, history.by.note])
      await expect(panel.getByRole("listitem").filter({ hasText: what(text.inSentence.me) })).toBeVisible();
    await expectNoAccessibilityProblems(page);
    await page.keyboard.press("j");
    await expect(page.getByRole("heading", { name: "Fay Wren" })).toBeFocused();
    await page.keyboard.press("e");
    await expect(panel.getByText(history.by.handled(text.inSentence.me))).toBeVisible();
    await page.keyboard.press("Escape");
  });
  await test.step("who is slower is told, and sees who was faster", async () => {
    // No news reaches the slower page before its change, and none is on its way.
    await expect(gracesPage.getByRole("row").filter({ hasText: "Fay Wren" })).toHaveAttribute("data-state", "handled");
    await gracesPage.route(/inbox_news/, (route) => route.abort());
    await rowLink(page, "Bea Wren").focus();
    // The page tells of a change before the server has answered.
    const answered = page.waitForResponse((response) => response.request().method() === "PATCH");
    await page.keyboard.press("t");
    await expect(lastChange(page)).toContainText(outcome.assigned(text.inSentence.me, "Bea Wren"));
    await answered;
    await rowLink(gracesPage, "Bea Wren").focus();
    await gracesPage.keyboard.press("t");
    await expect(lastChange(gracesPage)).toContainText(outcome.missing(1));
    await expect(badge(gracesPage, "Bea Wren")).toHaveAttribute("title", ada.email);
  });
  await test.step("the list shows one's own contacts, nobody's, or a colleague's", async () => {
    const own = rowLink(page, "Edda Wren");
    const graces = rowLink(page, "Cleo Wren");
    await page.getByRole("button", { name: find.filter(0) }).click();
    await page.getByRole("combobox", { name: text.label }).selectOption(text.mine);
    await expect(graces).toBeHidden();
    await expect(own).toBeVisible();
    await page.getByRole("combobox", { name: text.label }).selectOption(`grace-${mailbox}`);
    await expect(own).toBeHidden();
    await expect(graces).toBeVisible();
    await page.getByRole("combobox", { name: text.label }).selectOption(text.nobodys);
    await expect(page.getByText(inboxWords.nothing.title)).toBeVisible();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: find.remove(text.nobodys) }).click();
    await expect(own).toBeVisible();
  });
  await test.step("without the role, a colleague's contacts are nobody's", async () => {
    // An administrator who is alone takes nothing.
    await setAdmin((await addMember(`hedy-${ada.email}`)).email, true);
    await setAdmin(grace.email, false);
    await page.goto(address({ handler: "nobody" }));
    await expect(rowLink(page, "Cleo Wren")).toBeVisible();
    await rowLink(page, "Cleo Wren").focus();
    await page.keyboard.press("t");
    await expect(rowLink(page, "Cleo Wren")).toBeHidden();
  });
});
