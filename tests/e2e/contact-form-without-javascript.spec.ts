import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { expect, expectConsoleError, test } from "./support/fixtures.ts";

test.use({ javaScriptEnabled: false });

test("a refused contact returns the filled form; the next is sent", async ({ page, draft, fillIn, storedFrom }) => {
  expectConsoleError("422");
  await page.setViewportSize({ width: 360, height: 400 });
  await page.goto("/");
  await fillIn({ ...draft, name: `Ada "<b>" O'Heron`, interest: undefined });
  await page.getByRole("button", { name: contactWords.send }).click();

  for (const answer of [
    page.getByText(contactMessages.noInterest),
    page.getByRole("button", { name: contactWords.send }),
  ])
    await expect(answer).toBeInViewport({ ratio: 1 });
  await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(`Ada "<b>" O'Heron`);
  await expect(page.getByLabel(contactWords.email)).toHaveValue(draft.email);
  expect(await storedFrom(draft.email)).toEqual([]);

  await page.getByRole("radio", { name: draft.interest }).check();
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page).toHaveURL(/\/thanks/);
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(page.url()).not.toContain("example.com");
  expect(await storedFrom(draft.email)).toEqual([{ ...draft, name: "Ada b OHeron", interest: "partnerships" }]);
});
