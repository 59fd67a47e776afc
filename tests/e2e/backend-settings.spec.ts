import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { contactMessages, pageMessages } from "#content/messages";
import { startSite } from "../support/site.ts";
import { test as base, expect } from "./support/accounts.ts";
import { sitePort, siteUrl } from "./support/address.ts";
import { expectComplaint } from "./support/fixtures.ts";

/** Each of these pages is built and served once more, with other settings; one after the other. */
base.describe.configure({ mode: "default", timeout: 120_000 });

interface Fixtures {
  /** Builds and serves the site with these settings; the answer is its address. */
  serve: (port: number, settings: Record<string, string>) => Promise<string>;
}

const test = base.extend<Fixtures>({
  serve: async ({ browserName: _ }, use) => {
    const endings: (() => Promise<unknown>)[] = [];
    await use(async (port, settings) => {
      const dataDir = await mkdtemp(join(tmpdir(), "e2e-"));
      const url = `http://localhost:${port}`;
      const environment = { SITE_URL: url, BUILD_DIR: `.cache/test-site-${port}`, ...settings };
      const site = await startSite({ dataDir, port, environment });
      endings.push(
        () => site.stop(),
        () => rm(dataDir, { recursive: true, force: true }),
      );
      return url;
    });
    for (const end of endings) await end();
  },
});

for (const [name, port, words] of [
  ["PUBLIC_SUPABASE_URL", sitePort + 1, "supabaseUrl is required."],
  ["PUBLIC_SUPABASE_ANON_KEY", sitePort + 2, "supabaseKey is required."],
] as const) {
  test(`with ${name} set to nothing the screens end in the error screen: “${words}”`, async ({ page, serve }) => {
    expectComplaint("");
    const url = await serve(port, { [name]: "" });
    for (const path of ["/auth", "/admin/contacts"]) {
      await page.goto(url + path);
      await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
      await expect(page.getByText(words)).toBeVisible();
    }
  });
}

test("pages on one origin work with the backend on another", async ({ page, serve, admin, draft, fillIn }) => {
  const url = await serve(sitePort + 3, { PUBLIC_SUPABASE_URL: siteUrl });
  await page.goto(url);
  await page.locator("#contact").scrollIntoViewIfNeeded();
  await fillIn(draft);
  await page.getByRole("button", { name: "Send" }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();

  await page.goto(`${url}/auth`);
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password").fill(admin.password);
  await page.getByRole("button", { name: "Login", exact: true }).click();
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/admin/contacts`);
  await expect(page.getByRole("row", { name: draft.email })).toBeVisible();
  // The total travels in a header that only an allowed origin may read.
  await expect(page.getByText(/^\d+ in all$/)).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page).toHaveURL(`${url}/auth`);
});
