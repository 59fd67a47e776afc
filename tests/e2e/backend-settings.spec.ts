import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { authWords, mailWords } from "#content/auth";
import { contactMessages, pageMessages } from "#content/messages";
import { type RunningSite, startSite } from "../support/site.ts";
import { test as base, expect } from "./support/accounts.ts";
import { sitePort, siteUrl } from "./support/address.ts";
import { expectComplaint } from "./support/fixtures.ts";

/** Each of these pages is built and served once more, with other settings; one after the other. */
base.describe.configure({ mode: "default", timeout: 120_000 });

interface Fixtures {
  /** Builds and serves the site with these settings. */
  serve: (port: number, settings: Record<string, string>) => Promise<RunningSite>;
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
      return site;
    });
    for (const end of endings) await end();
  },
});

for (const [name, port, words] of [
  ["PUBLIC_SUPABASE_URL", sitePort + 1, "supabaseUrl is required."],
  ["PUBLIC_SUPABASE_ANON_KEY", sitePort + 2, "supabaseKey is required."],
] as const) {
  test(`with ${name} empty the forms say “${words}” and stay filled, and the log names it`, async ({
    page,
    serve,
    draft,
    fillIn,
  }) => {
    const site = await serve(port, { [name]: "" });
    expect(site.output()).toContain(`${name} is empty`);

    await page.goto(site.url);
    await page.locator("#contact").scrollIntoViewIfNeeded();
    await fillIn(draft);
    await page.getByRole("button", { name: "Send" }).click();
    await expect(page.getByText(words)).toBeVisible();
    await expect(page.getByLabel("Name", { exact: true })).toHaveValue(draft.name);
    await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();

    await page.goto(`${site.url}/auth`);
    for (const mode of ["login", "signup"] as const) {
      await page.getByLabel("Email").fill(draft.email);
      await page.getByLabel("Password").fill("a long walk in the woods");
      await page.getByRole("button", { name: authWords[mode].submit, exact: true }).click();
      await expect(page.getByText(words)).toBeFocused();
      await expect(page.getByLabel("Email")).toHaveValue(draft.email);
      await expect(page.getByLabel("Password")).toHaveValue("a long walk in the woods");
      await page.getByRole("button", { name: authWords[mode].toggle }).click();
    }
    await page.getByRole("button", { name: mailWords.forgot }).click();
    await page.getByRole("button", { name: mailWords.send }).click();
    await expect(page.getByText(words)).toBeFocused();
    await expect(page.getByLabel("Email")).toHaveValue(draft.email);

    expectComplaint("");
    await page.goto(`${site.url}/admin/contacts`);
    await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
    await expect(page.getByText(words)).toBeVisible();
  });
}

test("pages on one origin work with the backend on another", async ({ page, serve, admin, draft, fillIn }) => {
  const { url } = await serve(sitePort + 3, { PUBLIC_SUPABASE_URL: siteUrl });
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
