import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { waitSeconds } from "#validation/contact";
import { siteUrl } from "../support/site.ts";
import { expect, expectConsoleError, test } from "./support/fixtures.ts";

test.use({ javaScriptEnabled: false });

test("without JavaScript, a visitor sends a contact and gets the thank-you page", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  await page.goto("/");
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();

  await expect(page).toHaveURL(/\/thanks/);
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(page.url()).not.toContain("example.com");
  expect(await storedFrom(draft.email)).toEqual([{ ...draft, interest: "partnerships" }]);
});

test("without JavaScript, a refused contact returns the page with the error and the filled form", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
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
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("within 30 s, the server stores a repeated contact once and refuses a different contact", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  expectConsoleError("429");
  for (const _ of ["first", "again"]) {
    await page.goto("/");
    await fillIn(draft);
    await page.getByRole("button", { name: contactWords.send }).click();
    await expect(page).toHaveURL(/\/thanks/);
  }
  await page.goto("/");
  await fillIn({ ...draft, name: "Ada Egret" });
  await page.getByRole("button", { name: contactWords.send }).click();
  // Any text passes: the message comes from the database, and tests/specification checks its wording.
  await expect(page.locator("#contact-notice")).toHaveText(/\w/);
  await expect(page.getByRole("timer")).toHaveText(contactWords.wait(waitSeconds));
  await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("the server refuses a contact sent by a form on another site", async ({ page, draft, storedFrom }) => {
  expectConsoleError("403");
  await page.setContent(
    `<form action="${siteUrl}/contact" method="post"><input name="name" value="Mallory"><input name="company" value="x">
     <input name="email" value="${draft.email}"><input name="interest" value="consulting"><button>Win</button></form>`,
  );
  await page.getByRole("button").click();
  await expect(page.getByText(contactMessages.foreign)).toBeVisible();
  expect(await storedFrom(draft.email)).toEqual([]);
});
