import { chromiumFlags, findChromium } from "../../scripts/chromium.mjs";
import { expect, test } from "./support/fixtures.ts";

// Playwright switches the back/forward cache off, because it cannot follow pages in it.
test.use({
  launchOptions: {
    executablePath: findChromium(),
    args: chromiumFlags,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

for (const path of ["/", "/auth", "/privacy-policy", "/terms-of-service"]) {
  test(`the way back to ${path} shows the page as it was left, without loading it again`, async ({ page }) => {
    await page.addInitScript(() => {
      addEventListener("pageshow", ({ persisted }) => {
        document.documentElement.dataset.restored = String(persisted);
      });
    });
    await page.goto(path, { waitUntil: "networkidle" });
    await page.evaluate(() => scrollTo({ top: 120, behavior: "instant" }));
    await page.goto("/thanks");
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(path);

    await expect(page.locator("html")).toHaveAttribute("data-restored", "true");
  });
}

for (const [reducedMotion, isAnimated] of [
  ["no-preference", "true"],
  ["reduce", "false"],
] as const) {
  test(`from page to page with a transition: ${isAnimated}, where a person's wish about motion is ${reducedMotion}`, async ({
    page,
  }) => {
    await page.emulateMedia({ reducedMotion });
    await page.addInitScript(() => {
      addEventListener("pagereveal", ({ viewTransition }) => {
        document.documentElement.dataset.transition = String(Boolean(viewTransition));
      });
    });
    await page.goto("/terms-of-service");
    await page.getByRole("contentinfo").getByRole("link", { name: "Privacy" }).click();
    await expect(page).toHaveURL("/privacy-policy");
    await expect(page.locator("html")).toHaveAttribute("data-transition", isAnimated);
  });
}
