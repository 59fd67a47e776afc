import { login, navigationWords, sectionLinks, workWithUs } from "#content/navigation";
import { expect, test } from "./support/fixtures.ts";

test.use({ viewport: { width: 360, height: 740 } });

test("on a small screen, the menu opens by button and closes by button or a chosen link", async ({ page }) => {
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: navigationWords.main });
  const toggle = page.getByRole("button", { name: navigationWords.menu });
  await expect(menu).toBeHidden();

  await toggle.click();
  for (const { label } of [...sectionLinks, workWithUs, login])
    await expect(menu.getByRole("link", { name: label, exact: true })).toBeVisible();
  await menu.getByRole("button", { name: navigationWords.close }).click();
  await expect(menu).toBeHidden();

  const [, section] = sectionLinks;
  await toggle.click();
  await menu.getByRole("link", { name: section?.label, exact: true }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(section?.href ?? "");
  await expect(page.locator(new URL(page.url()).hash)).toBeInViewport();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the menu opens, its button says so, and its links work", async ({ page }) => {
    await page.goto("/");
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
