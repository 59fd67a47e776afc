import { contactWords } from "#content/contact";
import { pageMessages } from "#content/messages";
import { expect, expectConsoleError, openContactForm, test } from "./support/fixtures.ts";

test("an unknown path gives a page with a home link and a console message without the query", async ({ page }) => {
  expectConsoleError("/no/such/path");
  expectConsoleError("404");
  const lines: string[] = [];
  page.on("console", (message) => lines.push(message.text()));
  await page.goto("/no/such/path?private=1");
  await expect(page.getByText(pageMessages.notFound)).toBeVisible();
  expect(lines.filter((line) => line.includes("/no/such/path") && !line.includes("private"))).toHaveLength(1);
  await page.getByRole("main").getByRole("link").first().click();
  await expect(page).toHaveURL("/");
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
  await openContactForm(page);
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
  await expect(page.getByText("The fields could not be read.")).toBeVisible();
});
