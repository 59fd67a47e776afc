import { legalLinks } from "#content/navigation";
import { chromiumFlags, findChromium } from "../../scripts/browsers.mjs";
import { expect, test, untilIdle } from "./support/fixtures.ts";

// The other tests start Chromium with a flag for reduced motion. It may decide about a new document before Chromium
// applies the preference that this test emulates.
test.use({ launchOptions: { executablePath: findChromium(), args: chromiumFlags } });

test("navigation between pages has a view transition, except with reduced motion", async ({ page }) => {
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
    await untilIdle(page);
    await page.getByRole("contentinfo").getByRole("link", { name: privacy?.label, exact: true }).click();
    await expect(page).toHaveURL(privacy?.href ?? "");
    await expect(page.locator("html")).toHaveAttribute("data-transition", isAnimated);
  }
});
