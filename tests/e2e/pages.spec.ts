import { contactWords } from "#content/contact";
import { pageMessages } from "#content/messages";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, expectConsoleError, test } from "./support/fixtures.ts";

test("an unknown path gives a 404 page with a home link and a console message", async ({ page }) => {
  expectConsoleError("/no/such/path");
  expectConsoleError("404");
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));

  const answer = await page.goto("/no/such/path?private=1");
  expect(answer?.status()).toBe(404);
  await expect(page.getByText(pageMessages.notFound)).toBeVisible();
  expect(lines.some((line) => line.includes("/no/such/path"))).toBe(true);

  await page.getByRole("main").getByRole("link").first().click();
  await expect(page).toHaveURL("/");
});

test("the browser shows the generic error screen for a form post that gets status 413", async ({ page }) => {
  expectConsoleError("413");
  await page.goto("/");
  const answer = page.waitForResponse("**/contact");
  await page.evaluate(() => {
    const form = document.createElement("form");
    Object.assign(form, { action: "/contact", method: "post" });
    const field = Object.assign(document.createElement("textarea"), { name: "name", value: "x".repeat(100_000) });
    form.append(field);
    document.body.append(form);
    form.submit();
  });
  expect((await answer).status()).toBe(413);
  await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
  await expect(page.getByText("Payload Too Large")).toBeVisible();
  await expectNoAccessibilityProblems(page);
});

test("the error screen shows the message of an exception in an Astro island", async ({ page, draft, fillIn }) => {
  expectConsoleError("");
  await page.addInitScript(() => {
    Object.defineProperty(FormData.prototype, "get", {
      value: () => {
        throw new Error("The fields could not be read.");
      },
    });
  });
  await page.goto("/");
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
  await expect(page.getByText("The fields could not be read.")).toBeVisible();
});
