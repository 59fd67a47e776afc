import { randomUUID } from "node:crypto";
import type { Page } from "@playwright/test";
import { brand } from "#content/brand";
import { contactWords } from "#content/contact";
import { inboxWords, workWords } from "#content/inbox";
import { sourceWords } from "#content/inbox-sources";
import { contactMessages } from "#content/messages";
import { siteUrl } from "../support/site.ts";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/accounts.ts";
import { openContactForm } from "./support/fixtures.ts";

/** Follows a link on a page of another site. */
async function followLink(page: Page, host: string, path: string) {
  await page.route(`http://${host}/`, (route) =>
    route.fulfill({ contentType: "text/html", body: `<a href="${siteUrl}${path}">A link</a>` }),
  );
  await page.goto(`http://${host}/`);
  await page.getByRole("link", { name: "A link" }).click();
  await expect(page).toHaveURL(siteUrl + path);
}

const columns = "select referrer, campaign, first_page from contacts where email = $1";

test("an admin sees what brought a contact, and lists the contacts from there", async ({
  page,
  context,
  draft,
  fillIn,
  admin,
  startSession,
  database,
}) => {
  const host = `${randomUUID()}.example`;
  await followLink(page, host, "/?utm_source=Card&utm_medium=Paper&utm_campaign=Spring%20fair");
  await openContactForm(page);
  expect(await context.storageState()).toEqual({ cookies: [], origins: [] });
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  const campaign = "card / paper / spring fair";
  expect((await database.query(columns, [draft.email])).rows).toEqual([{ referrer: host, campaign, first_page: "/" }]);

  await database.query("insert into private.visits values ((now() at time zone 'utc')::date, '/', $1, '', 12)", [host]);
  await startSession(admin);
  await page.goto("/admin/contacts");
  await page.getByRole("button", { name: inboxWords.sources, exact: true }).press("Enter");
  const sources = page.getByRole("region", { name: inboxWords.sources, exact: true });
  const figures = sources.getByRole("row", { name: host }).getByRole("cell");
  await expect(figures).toHaveText(["1", "12"]);
  await expect(sources.getByRole("columnheader")).toHaveText([
    sourceWords.kinds.referrer,
    sourceWords.contacts,
    sourceWords.visits,
  ]);
  const link = await sources.getByRole("link", { name: host }).boundingBox();
  expect(link?.height).toBeGreaterThanOrEqual(24);
  await sources.getByLabel(sourceWords.by).selectOption(sourceWords.kinds.campaign);
  await expect(sources.getByRole("columnheader").first()).toHaveText(sourceWords.kinds.campaign);
  await expectNoAccessibilityProblems(page, { dark: true });
  await sources.getByRole("link", { name: campaign }).press("Enter");
  await expect(page).toHaveURL(/search=campaign%3Acard/);
  await page.getByRole("row").getByRole("link", { name: draft.name }).first().click();
  const { source, campaign: inCampaign, firstPage } = workWords.panel;
  const known = page.getByRole("definition").filter({ hasText: host });
  await expect(known).toHaveText([host, inCampaign(campaign), firstPage("/")].join(", "));
  await expect(page.getByRole("term").filter({ hasText: source })).toBeVisible();
});

test.describe("in another time zone", () => {
  test.use({ timezoneId: "Asia/Kolkata" });

  test("the sources begin at a day of the reader, and lead to a list from that day", async ({
    page,
    admin,
    startSession,
  }) => {
    // In Kolkata it is the next day already.
    await page.clock.setFixedTime("2026-05-27T20:00:00Z");
    const asked = Promise.withResolvers<unknown>();
    await page.route("**/rest/v1/rpc/contact_sources", (route) => {
      asked.resolve(route.request().postDataJSON());
      return route.fulfill({ json: [{ source: "news.example", visits: 0, contacts: 2, since: "2026-03-05" }] });
    });
    await startSession(admin);
    await page.goto("/admin/contacts?state=all");
    await page.getByRole("button", { name: inboxWords.sources, exact: true }).click();
    await page.getByRole("link", { name: "news.example" }).click();
    await expect(page).toHaveURL(/from=2026-03-05/);
    expect(await asked.promise).toEqual({
      _by: "referrer",
      _since: "2026-03-05",
      _zone: expect.stringMatching(/^Asia\/(Kolkata|Calcutta)$/),
    });
  });
});

test("the page before the form was the first, also without JavaScript", async ({ browser, draft, database }) => {
  for (const javaScriptEnabled of [true, false]) {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    await followLink(page, "news.example", "/terms-of-service?ref=Card");
    await page.getByRole("link", { name: brand.name }).first().click();
    await expect(page).toHaveURL(/\/#hero$/);
    const email = `${javaScriptEnabled}-${draft.email}`;
    await page.locator("[name=name]").fill("Ada");
    await page.locator("[name=company]").fill("Engines");
    await page.locator("[name=email]").fill(email);
    await page.getByRole("radio").first().check();
    await page.getByRole("button", { name: contactWords.send }).click();
    await expect(page.getByText(contactMessages.sent)).toBeVisible();
    const expected = javaScriptEnabled
      ? { campaign: "card", first_page: "/terms-of-service" }
      : { campaign: "", first_page: "/" };
    expect((await database.query(columns, [email])).rows).toEqual([{ referrer: "", ...expected }]);
    await context.close();
  }
});

test("Global Privacy Control keeps the source of a contact to the visitor", async ({
  page,
  draft,
  fillIn,
  database,
}) => {
  await page.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  await followLink(page, "news.example", "/?ref=card");
  await openContactForm(page);
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect((await database.query(columns, [draft.email])).rows).toEqual([{ referrer: "", campaign: "", first_page: "" }]);
});
