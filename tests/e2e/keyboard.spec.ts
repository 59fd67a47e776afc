import { navigationWords } from "#content/navigation";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/fixtures.ts";
import { readStop } from "./support/keyboard-walk.ts";

test("the first tab stop is a link that skips the header and focuses the content", async ({ page }) => {
  for (const path of ["/", "/privacy-policy"]) {
    await page.goto(path);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect(page.locator("main")).toBeFocused();
    await page.keyboard.press("Tab");
    await expect(page.locator("main :focus")).toBeInViewport();
    expect((await page.evaluate(readStop))?.problems).toEqual([]);
  }
});

test("with the keyboard, the menu opens and closes, and the focus can leave the menu", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/");
  const toggle = page.getByRole("button", { name: navigationWords.menu });
  const menu = page.getByRole("navigation", { name: navigationWords.main });
  for (const _ of ["skip link", "home", "menu"]) await page.keyboard.press("Tab");
  await expect(toggle).toBeFocused();
  await page.keyboard.press("Space");
  await expect(menu).toBeVisible();

  const inside = await menu.locator(":is(a, button):visible").count();
  const names: string[] = [];
  for (let step = 0; step < inside; step++) {
    await page.keyboard.press("Tab");
    const stop = await page.evaluate(readStop);
    expect(stop?.problems).toEqual([]);
    await expect(menu.locator(":focus")).toHaveCount(1);
    names.push(stop?.name ?? "");
  }
  expect(new Set(names).size).toBe(inside);
  expect(names.at(-1)).toBe(navigationWords.close);

  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(toggle).toBeFocused();

  // Tab on the last entry closes the menu and moves the focus into the page.
  await page.keyboard.press("Enter");
  await expectNoAccessibilityProblems(page, { widths: [360], within: "#menu" });
  for (let step = 0; step <= inside; step++) await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toBeInViewport();
  await expect(menu).toBeHidden();
  expect((await page.evaluate(readStop))?.problems).toEqual([]);
});
