import { inboxWords } from "#content/inbox";
import { expect, sessionKey, test } from "../e2e/support/accounts.ts";

test("the inbox shows the client's text for an access token with a wrong signature", async ({
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
  await expect(page.getByText("Invalid JWT signature")).toBeVisible();
  await expect(page.getByRole("button", { name: inboxWords.logout })).toBeEnabled();
});
