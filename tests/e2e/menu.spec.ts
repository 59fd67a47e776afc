import { expect, test } from "./support/fixtures.ts";

test.use({ viewport: { width: 360, height: 740 } });

test("on a small screen the menu opens, closes, and closes after a choice", async ({ page }) => {
  await page.goto("/");
  const menu = page.getByRole("navigation", { name: "Main" });
  const toggle = page.getByRole("button", { name: "Menu" });
  await expect(menu).toBeHidden();

  await toggle.click();
  for (const label of ["About", "Services", "Case Studies", "Contact", "Work With Us", "Login"]) {
    await expect(menu.getByRole("link", { name: label, exact: true })).toBeVisible();
  }
  await menu.getByRole("button", { name: "Close" }).click();
  await expect(menu).toBeHidden();

  await toggle.click();
  await menu.getByRole("link", { name: "Services" }).click();
  await expect(menu).toBeHidden();
  await expect(page).toHaveURL(/#services$/);
  await expect(page.locator("#services")).toBeInViewport();
});

test("the keyboard opens the menu and Escape closes it, giving the focus back", async ({ page }) => {
  await page.goto("/");
  const toggle = page.getByRole("button", { name: "Menu" });
  await toggle.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("navigation", { name: "Main" })).toBeHidden();
  await expect(toggle).toBeFocused();
});

test.describe("without JavaScript", () => {
  test.use({ javaScriptEnabled: false });

  test("the menu opens and leads on", async ({ page }) => {
    await page.goto("/");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Login" }).click();
    await expect(page).toHaveURL("/auth");
  });
});
