import { legalLinks } from "#content/navigation";
import { chromiumFlags, findChromium } from "../../scripts/chromium.mjs";
import { expect, test, untilIdle } from "./support/fixtures.ts";

// Playwright switches the back/forward cache off, because it cannot follow pages in it.
test.use({
  launchOptions: {
    executablePath: findChromium(),
    args: chromiumFlags,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

test("the way back to a public page shows it as it was left, without loading it again", async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener("pageshow", ({ persisted }) => {
      document.documentElement.dataset.restored = String(persisted);
    });
  });
  for (const path of ["/", "/auth", "/privacy-policy", "/terms-of-service"]) {
    await page.goto(path);
    await untilIdle(page);
    await page.evaluate(() => scrollTo({ top: 120, behavior: "instant" }));
    await page.goto("/thanks");
    await page.evaluate(() => history.back());
    await expect(page).toHaveURL(path);
    await expect(page.locator("html")).toHaveAttribute("data-restored", "true");
  }
});

test("from page to page with a transition, and without one where a person asks for less motion", async ({ page }) => {
  const [privacy, terms] = legalLinks;
  await page.addInitScript(() => {
    addEventListener("pagereveal", ({ viewTransition }) => {
      document.documentElement.dataset.transition = String(Boolean(viewTransition));
    });
  });
  for (const [reducedMotion, isAnimated] of [
    ["no-preference", "true"],
    ["reduce", "false"],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.goto(terms?.href ?? "");
    await page.getByRole("contentinfo").getByRole("link", { name: privacy?.label, exact: true }).click();
    await expect(page).toHaveURL(privacy?.href ?? "");
    await expect(page.locator("html")).toHaveAttribute("data-transition", isAnimated);
  }
});
