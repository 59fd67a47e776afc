import { chartWords, inboxWords } from "#content/inbox";
import { interests } from "#validation/contact";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { expect, test } from "./support/accounts.ts";
import { labelOf } from "./support/fixtures.ts";

const { number } = inboxWords;

/** The answer of the database: 26 weeks until 16 November 2026, each with 1,000 contacts of the first interest. */
const counts = Array.from({ length: 26 }, (_, index) => new Date(Date.UTC(2026, 4, 25 + 7 * index)))
  .map((date) => date.toISOString().slice(0, 10))
  .flatMap((week) => interests.map((interest, index) => ({ week, interest, contacts: index === 0 ? 1000 : index })));

test.afterEach(async ({ database, admin }) => {
  await database.query("delete from contacts where email like $1", [`%${admin.email}`]);
});

test("this week's number opens the chart and its table", async ({ page, admin, startSession }) => {
  await page.route("**/rest/v1/contacts_per_week*", (route) => route.fulfill({ json: counts }));
  await startSession(admin);
  await page.goto("/admin/contacts");
  const opener = page.getByRole("button", { name: chartWords.title });
  await expect(opener).toHaveText(chartWords.thisWeek(number(1003)));
  const chart = page.getByRole("region", { name: chartWords.title, exact: true });
  await expect(chart).toBeHidden();
  await opener.press("Enter");
  await expect(chart).toContainText(number(26_078));
  const table = chart.getByRole("table", { name: chartWords.caption });
  await expect(table.getByRole("row")).toHaveCount(28);
  await expect(table.getByRole("columnheader")).toHaveText([
    chartWords.week,
    ...interests.map(labelOf),
    chartWords.all,
  ]);
  const monday = await page.evaluate(() =>
    new Date("2026-11-16").toLocaleDateString(undefined, { day: "numeric", month: "short" }),
  );
  await expect(table.getByRole("row", { name: monday }).getByRole("cell")).toHaveText([1000, 1, 2, 1003].map(number));
  await expect(table.getByRole("row").last().getByRole("cell")).toHaveText([26_000, 26, 52, 26_078].map(number));
  await expectNoAccessibilityProblems(page, { dark: true });
  await page.keyboard.press("Escape");
  await expect(chart).toBeHidden();
  await expect(opener).toBeFocused();
});

test("the chart counts no spam, and is hidden without an answer", { tag: "@rare" }, async ({
  page,
  admin,
  startSession,
  database,
}) => {
  // A week of its own, in which no other test stores contacts.
  const email = `chart-${admin.email}`;
  const insert = `insert into contacts (name, company, email, interest, submitted_at)
    select 'Bea Wren ' || number, '', $1, 'partnerships', now() - interval '17 weeks' from generate_series(1, 3) number`;
  await database.query(insert, [email]);
  await database.query(
    "update contacts set state = 'spam' where id = (select id from contacts where email = $1 limit 1)",
    [email],
  );
  await startSession(admin);
  await page.goto("/admin/contacts");
  await page.getByRole("button", { name: chartWords.title }).click();
  const row = page.getByRole("table", { name: chartWords.caption }).getByRole("row").nth(18);
  await expect(row.getByRole("cell")).toHaveText(["0", "0", "2", "2"]);

  await page.route("**/rest/v1/contacts_per_week*", (route) => route.fulfill({ json: [] }));
  // Other tests fill the first page of the list.
  await page.goto(`/admin/contacts?search=${email}`);
  await expect(page.getByRole("row", { name: email }).first()).toBeVisible();
  await expect(page.getByRole("button", { name: chartWords.title })).toHaveCount(0);
});
