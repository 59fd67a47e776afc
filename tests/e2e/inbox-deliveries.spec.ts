import type { Page } from "@playwright/test";
import { inboxWords } from "#content/inbox";
import { deliveryWords as words } from "#content/inbox-on-demand";
import { inboxMessages } from "#content/messages";
import { expectNoAccessibilityProblems } from "./support/accessibility.ts";
import { test as base, expect } from "./support/accounts.ts";
import { expectConsoleError, hold } from "./support/fixtures.ts";

const retryCall = /\/rest\/v1\/rpc\/retry_deliveries/;

const refused = { kind: "mail", reason: "The mail server refused the connection.", gave_up: false };
const failures = [
  {
    kind: "webhook",
    reason: "The address answered with 500.",
    failing_since: ago(4000),
    next_try_at: null,
    gave_up: true,
  },
  { ...refused, failing_since: ago(50), next_try_at: ago(-30) },
  { ...refused, failing_since: ago(40), next_try_at: ago(-10) },
];

interface Fixtures {
  /** Queues a job that failed for this reason and returns its id. The job is removed after the test. */
  storeFailedJob: (reason: string) => Promise<string>;
}

const test = base.extend<Fixtures>({
  storeFailedJob: async ({ database }, use) => {
    const stored: string[] = [];
    await use(async (reason) => {
      const { rows } = await database.query(
        `insert into private.jobs (task, payload, attempts_max, attempts, last_error, run_at, created_at)
         values ('mail-contact', jsonb_build_object('contact_id', gen_random_uuid()), 22, 7, $1,
           now() + interval '1 day', now() - interval '1 hour')
         returning id`,
        [reason],
      );
      stored.push(rows[0].id);
      return rows[0].id;
    });
    await database.query("delete from private.jobs where id = any($1::bigint[])", [stored]);
  },
});

test.beforeEach(({ admin, startSession }) => startSession(admin));

test("a failed delivery is listed until a retry succeeds", async ({ page, database, storeFailedJob }) => {
  const id = await storeFailedJob(refused.reason);
  await page.clock.install();
  await openInbox(page);
  await expect(page.getByText(words.title(1))).toBeVisible();
  await expect(page.getByText(refused.reason)).toBeVisible();

  await page.getByRole("button", { name: inboxWords.tryAgain }).click();
  await expect(page.getByText(words.triedAgain(1))).toBeVisible();
  const jobsLeft = async () => (await database.query("select from private.jobs where id = $1", [id])).rowCount;
  await expect.poll(jobsLeft).toBe(0);
  await page.clock.fastForward("00:16");
  await expect(page.getByText(words.title(1))).toHaveCount(0);
});

test("equal failures are grouped, and a retry shows progress and result in its place", { tag: "@rare" }, async ({
  page,
}) => {
  expectConsoleError("Failed to load resource");
  const long = { ...failures[0], reason: `Refused by ${"a-rather-long-name.".repeat(8)}example.com` };
  let failing = [...failures, long];
  await page.route(/\/rest\/v1\/delivery_failures\?/, (route) => {
    const range = failing.length > 0 ? `0-${failing.length - 1}/${failing.length}` : "*/0";
    return route.fulfill({ json: failing, headers: { "content-range": range } });
  });
  await openInbox(page);
  await expect(page.getByRole("status").filter({ hasText: words.title(4) })).toBeVisible();
  const groups = page.getByRole("listitem").filter({ hasText: words.since });
  await expect(groups).toHaveCount(3);
  await expect(groups.nth(0)).toContainText(refused.reason);
  await expect(groups.nth(0)).toContainText(words.what.mail(2));
  const [since, next] = await page.evaluate(
    (times) => times.map((time) => new Intl.DateTimeFormat(undefined, { timeStyle: "short" }).format(new Date(time))),
    [failures[1]?.failing_since ?? "", failures[2]?.next_try_at ?? ""],
  );
  await expect(groups.nth(0).getByRole("time")).toContainText(since ?? "");
  await expect(groups.nth(0)).toContainText(next ?? "");
  await expect(groups.nth(1)).toContainText(words.gaveUp);
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoAccessibilityProblems(page, { dark: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);

  const again = page.getByRole("button", { name: inboxWords.tryAgain });
  await page.route(retryCall, (route) => route.fulfill({ status: 502, body: "<html>Bad Gateway</html>" }));
  await again.click();
  await expect(page.getByRole("status").filter({ hasText: words.notTried })).toBeVisible();
  const { released, release } = hold();
  await page.route(retryCall, async (route) => {
    await released;
    failing = [];
    await route.fulfill({ json: 4 });
  });
  await again.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("button", { name: words.trying })).toBeFocused();
  release();
  await expect(page.getByRole("status").filter({ hasText: words.triedAgain(4) })).toBeFocused();
  await expect(page.getByText(words.title(4))).toHaveCount(0);
});

async function openInbox(page: Page) {
  await page.goto("/admin/contacts");
  const empty = page.getByText(inboxMessages.empty).or(page.getByText(inboxWords.done.title));
  await expect(page.getByRole("table").or(empty)).toBeVisible();
}

function ago(minutes: number): string {
  return new Date(Date.now() - minutes * 60_000).toISOString();
}
