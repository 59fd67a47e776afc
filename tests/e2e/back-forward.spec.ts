import { legalLinks } from "#content/navigation";
import { chromiumFlags, findChromium } from "../../scripts/browsers.mjs";
import { expect, test, untilIdle } from "./support/fixtures.ts";

// Playwright switches the back/forward cache off, because it cannot follow pages in it.
test.use({
  launchOptions: {
    executablePath: findChromium(),
    args: chromiumFlags,
    ignoreDefaultArgs: ["--disable-back-forward-cache"],
  },
});

test("nothing on a public page keeps a browser from restoring it on the way back, without loading it again", async ({
  page,
}) => {
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
    // By the browser itself: a call inside the page may end with the page, and its answer never comes.
    const { entries, currentIndex } = await browser.send("Page.getNavigationHistory");
    await browser.send("Page.navigateToHistoryEntry", { entryId: entries[currentIndex - 1]?.id ?? 0 });
    await expect(page).toHaveURL(path);
    // Chromium's headless shell has no such cache, and says so beside what it finds on the page.
    const isRestored = () => page.locator("html").getAttribute("data-restored");
    await expect.poll(async () => (await isRestored()) === "true" || reasons.length > 0).toBe(true);
    expect(reasons.filter(({ type }) => type === "PageSupportNeeded")).toEqual([]);
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
