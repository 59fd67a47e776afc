import { login, navigationWords, sectionLinks, workWithUs } from "#content/navigation";
import { scenes } from "#content/projects";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/fixtures.ts";

test.use({ viewport: { width: 360, height: 740 } });

test("the first key skips the header; the menu closes by button, Escape, choice and focus", async ({ page }) => {
  await page.goto("/");
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: navigationWords.skip })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("main")).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toBeInViewport({ ratio: 1 });

  const menu = page.getByRole("navigation", { name: navigationWords.main });
  const toggle = page.getByRole("button", { name: navigationWords.menu });
  await expect(menu).toBeHidden();
  await toggle.click();
  for (const { label } of [...sectionLinks, workWithUs, login])
    await expect(menu.getByRole("link", { name: label, exact: true })).toBeVisible();
  await expectNoAccessibilityProblems(page, { within: "#menu" });
  await menu.getByRole("button", { name: navigationWords.close }).click();
  await expect(menu).toBeHidden();

  const [, section] = sectionLinks;
  await toggle.click();
  await menu.getByRole("link", { name: section?.label, exact: true }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(section?.href ?? "");
  await expect(page.locator(new URL(page.url()).hash)).toBeInViewport();

  await toggle.focus();
  await page.keyboard.press("Space");
  await expect(menu).toBeVisible();
  const inside = await menu.locator(":is(a, button):visible").count();
  for (let step = 0; step < inside; step++) {
    await page.keyboard.press("Tab");
    await expect(menu.locator(":focus")).toBeInViewport({ ratio: 1 });
  }
  await expect(menu.getByRole("button", { name: navigationWords.close })).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(menu).toBeHidden();
  await expect(toggle).toBeFocused();
  await page.keyboard.press("Enter");
  for (let step = 0; step <= inside; step++) await page.keyboard.press("Tab");
  await expect(page.locator("main :focus")).toBeInViewport();
  await expect(menu).toBeHidden();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("a visitor turns a card and opens the menu", async ({ page }) => {
    await page.goto("/");
    const first = page.getByRole("checkbox", { name: `${scenes.cards.card} 1`, exact: true });
    await first.press("Space");
    await expect(page.getByRole("checkbox", { name: new RegExp(`^${scenes.cards.card} 1 \\S`) })).toBeChecked();
    await page.getByRole("button", { name: scenes.cards.reset }).click();
    await expect(first).not.toBeChecked();

    const devtools = await page.context().newCDPSession(page);
    const isExpanded = async () => {
      const { nodes } = await devtools.send("Accessibility.getFullAXTree");
      const button = nodes.find(({ role, name }) => role?.value === "button" && name?.value === navigationWords.menu);
      return button?.properties?.find(({ name }) => name === "expanded")?.value.value;
    };
    expect(await isExpanded()).toBe(false);
    await page.getByRole("button", { name: navigationWords.menu }).click();
    await expect.poll(isExpanded).toBe(true);
    const menu = page.getByRole("navigation", { name: navigationWords.main });
    await menu.getByRole("link", { name: login.label, exact: true }).click();
    await expect(page).toHaveURL(login.href);
  });
});
