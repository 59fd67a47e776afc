import type { Page } from "@playwright/test";
import sharp from "sharp";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { legalLinks } from "#content/navigation";
import { preparedMail } from "#content/prepared-mail";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, expectConsoleError, labelOf, openHydrated, test } from "./support/fixtures.ts";

test("the contact form announces an error and a success to screen readers", async ({ page, draft, fillIn }) => {
  await page.route("**/rest/v1/contacts", (route) => route.abort(), { times: 1 });
  await openHydrated(page, "/");
  // Screen readers announce changes only in a live region that was in the page before the change.
  const notice = await page.locator("#contact-notice").elementHandle();
  await expect(page.locator("#contact form")).toMatchAriaSnapshot(`
    - textbox "${contactWords.name}"
    - textbox "${contactWords.company}"
    - textbox "${contactWords.email}"
    - group "${contactWords.interest}":
${contactWords.interests.map(({ label }) => `      - radio "${label}"`).join("\n")}
    - status
    - button "${contactWords.send}"
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

  expectConsoleError("Failed to load resource");
  await page.getByRole("radio", { name: labelOf("partnerships") }).check();
  await page.getByRole("button", { name: contactWords.send }).click();
  const mail = page.getByRole("link", { name: preparedMail.open });
  await expect(page.locator("#contact [aria-live='polite']").filter({ has: mail })).toBeVisible();
  await expectNoAccessibilityProblems(page, { within: "#contact" });

  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByRole("status")).toHaveText(contactMessages.sent);
  await expect(page.getByRole("status")).toHaveAttribute("aria-live", "polite");
  expect(await page.getByRole("status").evaluate((region, before) => region === before, notice)).toBe(true);
  await expectNoAccessibilityProblems(page, { within: "#contact" });
});

test("forced colours leave controls their borders, drawings visible and radios native", { tag: "@rare" }, async ({
  page,
}) => {
  for (const path of ["/auth", "/no/such/path", "/"]) {
    if (path === "/no/such/path") for (const part of [path, "404"]) expectConsoleError(part);
    await openHydrated(page, path);
    // Forced colours can be dark on light or light on dark.
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ forcedColors: "active", reducedMotion: "reduce", colorScheme });
      expect(await invisibleDrawings(page), `${path}, ${colorScheme}`).toEqual([]);
    }
    expect(await controlsWithoutBorders(page), path).toEqual([]);
  }
  const radio = page.getByRole("radio").first();
  await expect(radio).toHaveCSS("appearance", "auto");
});

test("a page is printed in black on white, a legal one without what surrounds its text", { tag: "@rare" }, async ({
  page,
}) => {
  for (const href of ["/", ...legalLinks.map(({ href }) => href)]) {
    await page.goto(href);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ media: "print", colorScheme });
      if (href !== "/") await expect(page.locator("body > :not(main):visible")).toHaveCount(0);
      await expect(page.locator("main h1")).toBeVisible();
      expect(await printedColours(page), `${href}, ${colorScheme}`).toEqual({
        text: ["rgb(0, 0, 0)"],
        paper: "rgb(255, 255, 255)",
        animations: 0,
      });
    }
  }
});

/** Finds controls whose border or focus ring is missing or has the colour of the background. */
async function controlsWithoutBorders(page: Page) {
  const controls = page.locator("main :is([data-button], input):visible");
  await expect(controls.first()).toBeAttached();
  return controls.evaluateAll((all) => {
    const canvas = getComputedStyle(document.body).backgroundColor;
    return all.flatMap((control) => {
      (control as HTMLElement).focus();
      const { borderTopStyle, borderTopColor, appearance } = getComputedStyle(control);
      const { outlineStyle, outlineColor } = getComputedStyle(control.closest("label") ?? control);
      const border = appearance === "auto" || (borderTopStyle === "solid" && borderTopColor !== canvas);
      const ring = outlineStyle !== "none" && outlineColor !== canvas;
      return border && ring ? [] : [`${control.outerHTML}: border ${border}, ring ${ring}`];
    });
  });
}

/** Finds invisible drawings: their area in the screenshot has nearly a single colour. Edges of the window may cut them. */
async function invisibleDrawings(page: Page) {
  await page.evaluate(() => scrollTo({ top: 0, behavior: "instant" }));
  // A stem counts as one drawing: its axis is a plain line, and leaves that do not fit are cut off.
  const stem = "[data-stem]";
  const drawings = await page.locator(`svg:visible:not(${stem} svg), ${stem}`).evaluateAll((all) =>
    all.map((drawing) => {
      const { left, top, right, bottom } = drawing.getBoundingClientRect();
      const { clientWidth, scrollHeight } = document.documentElement;
      const [x, y] = [Math.max(0, left), Math.max(0, top)];
      const size = [Math.min(right, clientWidth) - x, Math.min(bottom, scrollHeight) - y];
      return { html: drawing.outerHTML.slice(0, 80), box: [x, y, ...size].map(Math.round) };
    }),
  );
  expect(drawings.length).toBeGreaterThan(0);
  const picture = sharp(await page.screenshot({ fullPage: true })).greyscale();
  const { data, info } = await picture.raw().toBuffer({ resolveWithObject: true });
  return drawings.flatMap(({ html, box: [left = 0, top = 0, width = 0, height = 0] }) => {
    const starts = Array.from({ length: height }, (_, row) => (top + row) * info.width + left);
    const shades = new Set(Buffer.concat(starts.map((start) => data.subarray(start, start + width))));
    return Math.max(...shades) - Math.min(...shades) > 100 ? [] : [html];
  });
}

function printedColours(page: Page) {
  return page.evaluate(() => {
    const walker = document.createTreeWalker(document.querySelector("main") ?? document, NodeFilter.SHOW_TEXT);
    const text = new Set<string>();
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (walker.currentNode.textContent?.trim() && element?.checkVisibility())
        text.add(getComputedStyle(element).color);
    }
    const paper = getComputedStyle(document.documentElement).backgroundColor;
    return { text: [...text], paper, animations: document.getAnimations().length };
  });
}
