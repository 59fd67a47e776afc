import { accountWords } from "#content/account";
import { inboxWords } from "#content/inbox";
import { expect, test } from "./support/accounts.ts";
import { submitLogin } from "./support/auth-forms.ts";

const minute = 60_000;

for (const hours of [2, -2]) {
  test(`an administrator whose clock is wrong by ${hours} hours stays logged in, and renews the session once an hour`, async ({
    page,
    admin,
  }) => {
    const renewals: string[] = [];
    page.on("request", (request) => request.url().includes("refresh_token") && renewals.push(request.url()));
    await page.clock.install({ time: Date.now() + hours * 60 * minute });
    await page.goto("/admin/contacts");
    await submitLogin(page, admin);
    await expect(page).toHaveURL("/admin/contacts");
    await expect(page.getByRole("button", { name: inboxWords.more })).toBeVisible();
    for (let minutes = 0; minutes < 3; minutes++) {
      const news = page.waitForResponse("**/rpc/inbox_news");
      await page.clock.runFor(minute);
      await news;
    }
    expect(renewals).toEqual([]);
    await expect(page.getByRole("button", { name: inboxWords.more })).toBeVisible();

    const renewal = page.waitForResponse(/refresh_token/);
    await page.clock.fastForward(56 * minute);
    await (await renewal).finished();
    const news = page.waitForResponse("**/rpc/inbox_news");
    await page.clock.runFor(minute);
    await news;
    expect(renewals).toHaveLength(1);
    await page.goto("/account");
    await expect(page.getByText(`${accountWords.loggedInAs} ${admin.email}`)).toBeVisible();
    expect(renewals).toHaveLength(1);
  });
}
