import type { Page } from "@playwright/test";
import sharp from "sharp";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { legalLinks } from "#content/navigation";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, labelOf, test } from "./support/fixtures.ts";
import { openHydrated } from "./support/public-pages.ts";

test("a screen reader hears the form's outcome, refused and thanked", async ({ page, draft, fillIn }) => {
  await openHydrated(page, "/");
  // A region is announced only when what changes was in the page before.
  const notice = await page.locator("#contact-notice").elementHandle();
  await expect(page.locator("#contact form")).toMatchAriaSnapshot(`
    - textbox "${contactWords.name}"
    - textbox "${contactWords.company}"
    - textbox "${contactWords.email}"
    - group "${contactWords.interest}":
${contactWords.interests.map(({ label }) => `      - radio "${label}"`).join("\n")}
    - button "${contactWords.send}"
    - status
  `);

  await fillIn({ ...draft, interest: undefined });
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByRole("status")).toHaveText(contactMessages.noInterest);
  await expect(page.getByRole("status")).toHaveAttribute("aria-live", "assertive");
  await expect(page.getByRole("group", { name: contactWords.interest })).toHaveAccessibleDescription(
    contactMessages.noInterest,
  );
  await expect(page.getByRole("radio").first()).toBeFocused();
  await expectNoAccessibilityProblems(page, { within: "#contact" });

  await page.getByRole("radio", { name: labelOf("partnerships") }).check();
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByRole("status")).toHaveText(contactMessages.sent);
  await expect(page.getByRole("status")).toHaveAttribute("aria-live", "polite");
  expect(await page.getByRole("status").evaluate((region, before) => region === before, notice)).toBe(true);
  await expectNoAccessibilityProblems(page, { within: "#contact" });
});

test("with the visitor's own few colours, controls have edges, the choice shows, and drawings are drawn", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  for (const path of ["/", "/auth", "/no/such/path"]) {
    await openHydrated(page, path);
    expect(await controlsWithoutEdges(page), path).toEqual([]);
    // The colours of one's own are dark on light for some, light on dark for most.
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ forcedColors: "active", colorScheme });
      expect(await drawingsNotDrawn(page), `${path}, ${colorScheme}`).toEqual([]);
    }
  }
});

test("a chosen interest shows in forced colours as a radio of the system", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openHydrated(page, "/");
  const radio = page.getByRole("radio").first();
  await expect(radio).toHaveCSS("appearance", "auto");
  const before = await radio.screenshot();
  await radio.check();
  await page.getByLabel(contactWords.company).focus();
  expect((await radio.screenshot()).equals(before)).toBe(false);
});

test("a legal text is printed as its text alone, black on white, whatever the scheme", async ({ page }) => {
  for (const { href } of legalLinks) {
    await page.goto(href);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ media: "print", colorScheme });
      await expect(page.locator("body > :not(main):visible")).toHaveCount(0);
      await expect(page.locator("main h1")).toBeVisible();
      expect(await inkAndPaper(page)).toEqual({ ink: ["rgb(0, 0, 0)"], paper: ["rgb(255, 255, 255)"] });
    }
  }
});

/** Controls that lack an edge or, focused, a ring, in another colour than what is behind. */
function controlsWithoutEdges(page: Page) {
  return page.locator("main :is(a[class*=button], button[class*=button], input)").evaluateAll((controls) => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    return controls.flatMap((control) => {
      (control as HTMLElement).focus();
      const { borderTopStyle, borderTopColor, appearance } = getComputedStyle(control);
      const { outlineStyle, outlineColor } = getComputedStyle(control.closest("label") ?? control);
      const border = appearance === "auto" || (borderTopStyle === "solid" && borderTopColor !== canvas);
      const ring = outlineStyle !== "none" && outlineColor !== canvas;
      return border && ring ? [] : [`${control.outerHTML}: border ${border}, ring ${ring}`];
    });
  });
}

/** Drawings in whose part of the page's picture there is no more than one colour. */
async function drawingsNotDrawn(page: Page) {
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  const drawings = await page.locator("svg:visible").evaluateAll((all) =>
    all.map((drawing) => {
      const { left, top, width, height } = drawing.getBoundingClientRect();
      return { html: drawing.outerHTML.slice(0, 80), box: [left, top, width, height].map(Math.round) };
    }),
  );
  expect(drawings.length).toBeGreaterThan(0);
  const picture = await page.screenshot({ fullPage: true });
  const seen = drawings.map(async ({ html, box: [left = 0, top = 0, width = 0, height = 0] }) => {
    const { channels } = await sharp(
      await sharp(picture).extract({ left, top, width, height }).png().toBuffer(),
    ).stats();
    return channels.some(({ min, max }) => max - min > 100) ? [] : [html];
  });
  return (await Promise.all(seen)).flat();
}

function inkAndPaper(page: Page) {
  return page.evaluate(() => {
    const styles = [...document.querySelectorAll("body, main, main *")].map((element) => getComputedStyle(element));
    const papers = [getComputedStyle(document.documentElement), ...styles]
      .map(({ backgroundColor }) => backgroundColor)
      .filter((colour) => !/, 0\)$/.test(colour));
    return { ink: [...new Set(styles.map(({ color }) => color))], paper: [...new Set(papers)] };
  });
}
