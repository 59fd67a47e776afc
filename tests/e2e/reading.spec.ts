import { expect, test } from "./support/fixtures.ts";
import { openAwake, publicPaths } from "./support/public-pages.ts";
import { complainAboutText, smallTargets } from "./support/sight.ts";

for (const path of publicPaths) {
  test(`${path} can be read at 320 px, at 200 % and with text twice as large, and every target can be hit`, async ({
    page,
  }) => {
    await openAwake(page, path);
    // 360 and 640 px are windows of 720 and 1280 at 200 %, 320 px is one of 1280 at 400 %.
    for (const width of [320, 360, 640, 768, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await complainAboutText(page), `${width} px`).toEqual([]);
      expect(await smallTargets(page), `${width} px`).toEqual([]);
    }
    // The text size of the browser's own settings: what the conditions of the stylesheets are counted in grows with it.
    const browser = await page.context().newCDPSession(page);
    await browser.send("Page.setFontSizes", { fontSizes: { standard: 32 } });
    for (const width of [360, 640, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await complainAboutText(page), `text at 200 %, ${width} px`).toEqual([]);
    }
  });
}
