// Holds the site to its specification, word for word. An owner who makes words, numbers or dates their own retires this
// folder: no other test spells out what the site says.
import { inboxWords } from "#content/inbox";
import { expect, sessionKey, test } from "../e2e/support/accounts.ts";

test("a token with a bad signature is named as such", async ({ page, admin, sessionOf }) => {
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

test("the pages say what the specification names: labels, toggles, the words of an unknown address", async ({
  page,
}) => {
  await page.goto("/");
  for (const label of ["See Our Work", "Book a Strategy Call", "Partner With Us"])
    await expect(page.getByRole("link", { name: label, exact: true })).toBeVisible();

  await page.goto("/auth");
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByRole("button", { name: "No account? Sign up", exact: true }).click();
  await expect(page.getByRole("button", { name: "Have an account? Login", exact: true })).toBeVisible();
  await expect(page.getByLabel("Password")).toBeVisible();
});
