import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { inboxWords } from "#content/inbox";
import { exportWords } from "#content/inbox-export";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { test as base, expect } from "./support/accounts.ts";
import { expectConsoleError, hold } from "./support/fixtures.ts";
import { countCall } from "./support/inbox.ts";

/** More than two pages of the download. */
const count = 2_100;

interface Fixtures {
  /** A day of long ago on which only this test has contacts, some with names that are formulas. */
  oldDay: string;
}

const test = base.extend<Fixtures>({
  oldDay: async ({ database }, use, { parallelIndex }) => {
    const day = `2001-02-${10 + parallelIndex}`;
    await database.query(
      `insert into contacts (name, company, email, interest, submitted_at)
       select case number when 7 then '=1+1' when 8 then '+49 30 1234567' else 'Bea Wren ' || number end,
         case number when 7 then 'Wren, Heron; =2+2' else '' end, 'export-' || number || '@example.com', 'consulting',
         $2::timestamptz + number / 3 * interval '1 second'
       from generate_series(1, $1::int) number`,
      [count, `${day} 12:00Z`],
    );
    await use(day);
    await database.query("delete from contacts where submitted_at::date = $1", [day]);
  },
});

const openMenu = (page: Page) => page.getByRole("button", { name: inboxWords.more, exact: true }).click();
const viewOf = (day: string) => `/admin/contacts?state=all&from=${day}&until=${day}`;

test("a download has each contact of the view, and no formulas", async ({ page, admin, startSession, oldDay }) => {
  await startSession(admin);
  for (const [address, name] of [
    [viewOf(oldDay), `all-from-${oldDay}-until-${oldDay}.csv`],
    [`${viewOf(oldDay)}&search=export-`, `all-from-${oldDay}-until-${oldDay}-search.csv`],
  ] as const) {
    await page.goto(address);
    const downloading = page.waitForEvent("download");
    await openMenu(page);
    await page.getByRole("button", { name: exportWords.download }).click();
    const download = await downloading;
    expect(download.suggestedFilename()).toMatch(new RegExp(`^contacts-\\d{4}-\\d\\d-\\d\\d-${RegExp.escape(name)}$`));
    await expect(page.getByText(exportWords.saved(count))).toBeVisible();

    const text = await readFile(await download.path(), "utf8");
    expect(text.startsWith(`\uFEFF${exportWords.columns.sent},`)).toBe(true);
    const lines = text.trimEnd().split("\r\n").slice(1);
    const emails = lines.map((line) => /export-\d+@example\.com/.exec(line)?.[0]);
    expect([lines.length, new Set(emails).size]).toEqual([count, count]);
    expect(lines.find((line) => line.includes("export-7@"))).toContain(`,'=1+1,"Wren, Heron;' =2+2",`);
    expect(lines.find((line) => line.includes("export-8@"))).toContain(`,'+49 30 1234567,`);
  }
});

test("a download shows progress, can be cancelled, and can fail", { tag: "@rare" }, async ({
  page,
  admin,
  startSession,
  oldDay,
}) => {
  expectConsoleError("Failed to load resource");
  await startSession(admin);
  await page.goto(viewOf(oldDay));
  const { released, release } = hold();
  const downloads: string[] = [];
  page.on("download", (download) => downloads.push(download.suggestedFilename()));
  const secondPage = /\/rest\/v1\/contacts\?.*limit=1000.*or=|\/rest\/v1\/contacts\?.*or=.*limit=1000/;
  await page.route(secondPage, async (route) => {
    await released;
    await route.fulfill({ status: 500, json: {} });
  });
  const button = page.getByRole("button", { name: exportWords.download });
  await openMenu(page);
  await button.click();
  await expect(page.getByText(exportWords.progressOf(1000, count))).toBeVisible();
  await expect(page.getByRole("progressbar", { name: exportWords.progress })).toHaveJSProperty("value", 1000);
  await expectNoAccessibilityProblems(page, { within: "div:has(> progress)" });
  await page.getByRole("button", { name: exportWords.cancel }).press("Enter");
  await expect(page.getByText(exportWords.cancelled)).toBeVisible();
  await expect(button).toBeFocused();

  release();
  await button.press("Enter");
  await expect(page.getByText(exportWords.failed)).toBeVisible();
  await page.unroute(secondPage);

  // All contacts have been read, and are being counted once more.
  const counting = hold();
  let parts = 0;
  let counts = 0;
  page.on("request", (request) => request.url().includes("limit=1000") && ++parts);
  await page.route(countCall, async (route) => {
    if (parts === 4) {
      counts += 1;
      await counting.released;
    }
    await route.continue();
  });
  await button.press("Enter");
  await expect.poll(() => counts).toBeGreaterThan(0);
  await page.getByRole("button", { name: exportWords.cancel }).press("Enter");
  counting.release();
  await page.unrouteAll({ behavior: "wait" });
  // The events of downloads arrive in order.
  const downloading = page.waitForEvent("download");
  await button.press("Enter");
  await downloading;
  await expect(page.getByText(exportWords.saved(count))).toBeVisible();
  expect(downloads).toHaveLength(1);
});
