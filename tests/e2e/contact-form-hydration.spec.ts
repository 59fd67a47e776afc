import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import { expect, expectConsoleError, hold, test, untilIdle } from "./support/fixtures.ts";

test("the contact form keeps and sends text that was typed before hydration", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  const { released, release } = hold();
  await page.route("**/_astro/*.js", async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "commit" });
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await fillIn(draft);

  release();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(draft.name);
  await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();

  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(await storedFrom(draft.email)).toHaveLength(1);
});

test("the browser loads the Supabase client only when a contact form field gets the focus", async ({ page }) => {
  const scripts: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith(".js")) return;
    if ((await response.text()).includes("supabaseUrl is required")) scripts.push(response.url());
  });
  await page.goto("/");
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await untilIdle(page);
  expect(scripts).toEqual([]);

  await page.getByLabel(contactWords.company).focus();
  await expect.poll(() => scripts.length).toBe(1);
});

test("hydration keeps the text and the error message of a contact form that the server refused", async ({
  page,
  draft,
  fillIn,
  storedFrom,
}) => {
  expectConsoleError("422");
  await page.route("**/_astro/*.js", (route) => route.abort(), { times: 10 });
  expectConsoleError("Failed to load resource");
  expectConsoleError("Failed to fetch dynamically imported module");
  await page.goto("/");
  await fillIn({ ...draft, interest: undefined });
  await page.unroute("**/_astro/*.js");
  await page.getByRole("button", { name: contactWords.send }).click();

  await expect(page.getByText(contactMessages.noInterest)).toBeVisible();
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await expect(page.locator("astro-island[ssr]")).toHaveCount(0);
  await expect(page.getByText(contactMessages.noInterest)).toBeVisible();
  await expect(page.getByLabel(contactWords.email)).toHaveValue(draft.email);

  await page.getByRole("radio", { name: draft.interest }).check();
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  await expect(page.getByLabel(contactWords.email)).toHaveValue("");
  expect(await storedFrom(draft.email)).toHaveLength(1);
});
