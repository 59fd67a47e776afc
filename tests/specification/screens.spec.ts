// Compares the pages in a browser with the tables of docs/specification.md.
import { inboxWords } from "#content/inbox";
import { expect, sessionKey, test } from "../e2e/support/accounts.ts";
import { libraryTextOf, links, textOf } from "./tables.ts";

test("the inbox shows the specified text for an access token with a wrong signature", async ({
  page,
  admin,
  sessionOf,
}) => {
  const session = JSON.parse(await sessionOf(admin));
  const [header, payload, signature = ""] = session.access_token.split(".");
  session.access_token = [header, payload, `${signature.startsWith("A") ? "B" : "A"}${signature.slice(1)}`].join(".");
  await page.addInitScript(([key, stored]) => window.localStorage.setItem(key, stored), [
    sessionKey,
    JSON.stringify(session),
  ] as const);
  await page.goto("/admin/contacts");
  await expect(page.getByText(libraryTextOf("The signature of the stored access token is wrong"))).toBeVisible();
  await expect(page.getByRole("button", { name: inboxWords.logout })).toBeEnabled();
});

test("the landing page shows the links of the specification; /auth can switch to sign-up", async ({ page }) => {
  await page.goto("/");
  const calls = links.filter(({ Where: where }) => where.startsWith("Landing page"));
  expect(calls.length).toBeGreaterThanOrEqual(4);
  for (const { Label: label } of calls)
    await expect(page.getByRole("main").getByRole("link", { name: label, exact: true })).toBeVisible();

  await page.goto("/auth");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button", { name: textOf("authWords.login.toggle"), exact: true }).click();
  await expect(page.getByRole("button", { name: textOf("authWords.signup.toggle"), exact: true })).toBeVisible();
  await expect(page.getByLabel("Password")).toBeVisible();
});
