import { legalLinks } from "#content/navigation";
import { chromiumFlags, findChromium } from "../../scripts/browsers.mjs";
import { expect, test, untilIdle } from "./support/fixtures.ts";

// The other tests start Chromium with a flag for reduced motion, which may decide about a new document before the
// preference that a test emulates. And by default Playwright disables the back/forward cache.
test.use({
  launchOptions: {
    executablePath: findChromium(),
    args: chromiumFlags,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

test("navigation between pages has a view transition, except with reduced motion", { tag: "@rare" }, async ({
  page,
}) => {
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

test("no public page prevents the back/forward cache", { tag: "@rare" }, async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener("pageshow", ({ persisted }) => {
      document.documentElement.dataset.restored = String(persisted);
    });
  });
  const reasons: { type: string; reason: string }[] = [];
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.enable");
  browser.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) => reasons.push(...notRestoredExplanations));

  for (const path of ["/", "/auth", "/privacy-policy"]) {
    reasons.length = 0;
    await page.goto(path);
    await untilIdle(page);
    await page.goto("/thanks");
    // Go back with a command to the browser. `history.back()` would run in the page that ends, so its result may be
    // lost.
    const { entries, currentIndex } = await browser.send("Page.getNavigationHistory");
    await browser.send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1]?.id ?? 0 });
    await expect(page).toHaveURL(path);
    // Chromium's headless shell has no back/forward cache, but still reports what in the page would prevent its use.
    const isRestored = () => page.locator("html").getAttribute("data-restored");
    await expect.poll(async () => (await isRestored()) === "true" || reasons.length > 0).toBe(true);
    expect(reasons.filter(({ type }) => type === "PageSupportNeeded")).toEqual([]);
  }
});
