import type { Locator, Page } from "@playwright/test";
import sharp from "sharp";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { expectNothingForAnAuditor } from "./support/audit.ts";
import { expect, test } from "./support/fixtures.ts";
import { openAwake, publicPaths } from "./support/public-pages.ts";

for (const path of publicPaths) {
  test(`${path} has landmarks, an outline, words for its pictures, and nothing for an auditor to find`, async ({
    page,
  }) => {
    await openAwake(page, path);
    await expect(page.locator("html")).toHaveAttribute("lang", "en-GB");
    await expect(page.locator("body")).toMatchAriaSnapshot(`
      - link "Skip to the content"
      - banner:
        - navigation "Main"
      - main
      - contentinfo:
        - navigation "Legal"
    `);
    const levels = (await page.getByRole("heading").all()).map((heading) =>
      heading.evaluate(({ tagName }) => Number(tagName.slice(1))),
    );
    const [first, ...others] = await Promise.all(levels);
    expect([first, ...others].filter((level) => level === 1)).toEqual([1]);
    expect(first).toBe(1);
    others.forEach((level, index) => {
      expect(level).toBeLessThanOrEqual((others[index - 1] ?? 1) + 1);
    });

    const silent = await page.locator("main :is(svg, img), footer svg, header svg").evaluateAll((pictures) =>
      pictures
        .filter((picture) => picture.getAttribute("aria-hidden") !== "true")
        .filter((picture) => (picture.getAttribute("aria-label") ?? "").length < 20)
        .map((picture) => picture.outerHTML.slice(0, 80)),
    );
    expect(silent).toEqual([]);
    await expectNothingForAnAuditor(page);
  });
}

test("a screen reader hears the form's outcome, refused and thanked", async ({ page, draft, fillIn }) => {
  await openAwake(page, "/");
  // A region is announced only when what changes was in the page before.
  const notice = await page.locator("#contact-notice").elementHandle();
  await expect(page.locator("#contact form")).toMatchAriaSnapshot(`
    - textbox "Name"
    - textbox "Company"
    - textbox "Email"
    - group "${contactWords.interest}":
      - radio "Consulting"
      - radio "Co-development"
      - radio "Partnerships"
    - button "Send"
    - status
  `);

  await fillIn({ ...draft, interest: undefined });
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("status")).toHaveText(contactMessages.noInterest);
  await expect(page.getByRole("status")).toHaveAttribute("aria-live", "assertive");
  await expect(page.getByRole("group", { name: contactWords.interest })).toHaveAccessibleDescription(
    contactMessages.noInterest,
  );
  await expect(page.getByRole("radio").first()).toBeFocused();
  await expectNothingForAnAuditor(page, { within: "#contact" });

  await page.getByRole("radio", { name: "Partnerships" }).check();
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByRole("status")).toHaveText(contactMessages.sent);
  await expect(page.getByRole("status")).toHaveAttribute("aria-live", "polite");
  expect(await page.getByRole("status").evaluate((region, before) => region === before, notice)).toBe(true);
  await expectNothingForAnAuditor(page, { within: "#contact" });
});

test("with the visitor's own few colours, controls have edges, the choice shows, and drawings are drawn", async ({
  page,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  for (const path of ["/", "/auth", "/no/such/path"]) {
    await openAwake(page, path);
    for (const control of await page.locator("main :is(a[class*=button], button[class*=button], input)").all()) {
      await control.focus();
      expect(await edgesOf(control), await control.evaluate(({ outerHTML }) => outerHTML)).toEqual({
        border: true,
        ring: true,
      });
    }
    // The colours of one's own are dark on light for some, light on dark for most.
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ forcedColors: "active", colorScheme });
      for (const drawing of await page.locator("svg:visible").all()) {
        expect(await isDrawn(drawing), await drawing.evaluate(({ outerHTML }) => outerHTML.slice(0, 80))).toBe(true);
      }
    }
  }
});

test("a chosen interest shows in forced colours as a radio of the system", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await openAwake(page, "/");
  const radio = page.getByRole("radio").first();
  await expect(radio).toHaveCSS("appearance", "auto");
  const before = await radio.screenshot();
  await radio.check();
  await page.getByLabel("Company").focus();
  expect((await radio.screenshot()).equals(before)).toBe(false);
});

for (const path of ["/privacy-policy", "/terms-of-service"]) {
  test(`${path} is printed as its text alone, black on white, whatever the scheme`, async ({ page }) => {
    await page.goto(path);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ media: "print", colorScheme });
      await expect(page.locator("body > :not(main):visible")).toHaveCount(0);
      await expect(page.locator("main h1")).toBeVisible();
      expect(await inkAndPaper(page)).toEqual({ ink: ["rgb(0, 0, 0)"], paper: ["rgb(255, 255, 255)"] });
    }
  });
}

/** Whether the control has an edge and, focused, a ring, each in another colour than what is behind. */
function edgesOf(control: Locator) {
  return control.evaluate((element) => {
    const { borderTopStyle, borderTopColor, appearance } = getComputedStyle(element);
    const { outlineStyle, outlineColor } = getComputedStyle(element.closest("label") ?? element);
    const canvas = getComputedStyle(document.body).backgroundColor;
    return {
      border: appearance === "auto" || (borderTopStyle === "solid" && borderTopColor !== canvas),
      ring: outlineStyle !== "none" && outlineColor !== canvas,
    };
  });
}

/** More than one colour in its picture. */
async function isDrawn(drawing: Locator) {
  const { channels } = await sharp(await drawing.screenshot()).stats();
  return channels.some(({ min, max }) => max - min > 100);
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
