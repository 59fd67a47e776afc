import { expect, test, untilIdle } from "./support/fixtures.ts";

// By default Playwright disables the back/forward cache, because it cannot track the pages in that cache.
test.use({
  launchOptions: [
    ({ launchOptions }, use) => use({ ...launchOptions, ignoreDefaultArgs: ["--disable-back-forward-cache"] }),
    { scope: "worker" },
  ],
});

test("no public page prevents the back/forward cache", async ({ page }) => {
  await page.addInitScript(() => {
    addEventListener("pageshow", ({ persisted }) => {
      document.documentElement.dataset.restored = String(persisted);
    });
  });
  const reasons: { type: string; reason: string }[] = [];
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.enable");
  browser.on("Page.backForwardCacheNotUsed", ({ notRestoredExplanations }) => reasons.push(...notRestoredExplanations));

  for (const path of ["/", "/auth", "/privacy-policy", "/terms-of-service"]) {
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
