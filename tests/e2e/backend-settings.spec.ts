import { resolve } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { pino } from "pino";
import { accountWords } from "#content/account";
import { authWords, mailWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { hostedMessages } from "#content/hosted-messages";
import { inboxWords } from "#content/inbox";
import { contactMessages, inboxMessages, pageMessages } from "#content/messages";
import { secondFactorWords } from "#content/second-factor";
import { secondFactorStepWords } from "#content/second-factor-step";
import { buildApp } from "#server/app";
import { type Asset, readAssets } from "#server/pages/assets";
import { setErrorPages } from "#server/pages/error-page";
import { contactFormRoutes, pageRoutes } from "#server/pages/pages";
import { defaultPublicKey, readSettings } from "#server/settings";
import { freePort, siteUrl, testSiteSettings } from "../support/site.ts";
import { totpCode } from "../support/totp.ts";
import { expectConsoleError, openContactForm } from "./support/fixtures.ts";
import { test as base, expect, submitCode, submitLogin } from "./support/second-factor.ts";

interface Settings {
  PUBLIC_SUPABASE_URL?: string;
  PUBLIC_SUPABASE_ANON_KEY?: string;
}

interface Fixtures {
  /** Serves the site at another origin, as if it had been built with these settings. */
  serve: (settings: Settings) => Promise<{ url: string }>;
  /** Serves the site as the server does if PUBLIC_SUPABASE_URL is `hostedUrl`. */
  serveHosted: (hostedUrl: string) => Promise<{ url: string }>;
}

const test = base.extend<Fixtures>({
  serve: async ({ browserName: _ }, use) => {
    const app = Fastify({ forceCloseConnections: true });
    await use(async (settings) => {
      const built = await readAssets(resolve(testSiteSettings.BUILD_DIR));
      const assets = new Map([...built].map(([path, asset]) => [path, compileIn(settings, asset)]));
      // At least one file must differ: otherwise `compileIn` found no setting to replace.
      expect([...assets].filter(([path, asset]) => asset !== built.get(path)).length).toBeGreaterThan(0);
      setErrorPages(app, assets);
      app.register(contactFormRoutes, { assets, siteUrl, saveContact: async () => {} });
      app.register(pageRoutes, { assets });
      const url = await app.listen({ host: "localhost", port: 0 });
      return { url: url.replace(/127\.0\.0\.1|\[::1\]/, "localhost") };
    });
    await app.close();
  },

  serveHosted: async ({ browserName: _ }, use) => {
    const started: FastifyInstance[] = [];
    await use(async (hostedUrl) => {
      const assets = await readAssets(resolve(testSiteSettings.BUILD_DIR));
      const settings = readSettings({ PUBLIC_SUPABASE_URL: hostedUrl });
      const app = buildApp({ settings, backend: undefined, assets, log: pino({ level: "silent" }) });
      started.push(app);
      return { url: await app.listen({ host: "127.0.0.1", port: 0 }) };
    });
    await Promise.all(started.map((app) => app.close()));
  },
});

const defaultKeyInQuotes = new RegExp(`(["'\`])${defaultPublicKey}\\1`);

/**
 * Changes a built file as if the site had been built with these settings. A build writes both settings into one script,
 * and the backend's origin into the content security policy of each page.
 */
function compileIn({ PUBLIC_SUPABASE_URL: backend, PUBLIC_SUPABASE_ANON_KEY: key }: Settings, asset: Asset): Asset {
  const text = asset.bodies.identity.toString();
  let changed = text;
  if (asset.contentSecurityPolicy && backend) {
    changed = allow(text);
  } else if (asset.type.startsWith("text/javascript")) {
    if (backend !== undefined)
      changed = changed.replace(/return window\.location\.origin\b/, () => `return ${JSON.stringify(backend)}`);
    if (key !== undefined) changed = changed.replace(defaultKeyInQuotes, () => JSON.stringify(key));
  }
  if (changed === text) return asset;
  const contentSecurityPolicy = asset.contentSecurityPolicy && allow(asset.contentSecurityPolicy);
  return { ...asset, bodies: { identity: Buffer.from(changed) }, contentSecurityPolicy };

  function allow(policy: string) {
    return policy.replace("connect-src 'self'", `connect-src 'self' ${backend}`);
  }
}

for (const [name, message] of [
  ["PUBLIC_SUPABASE_URL", "supabaseUrl is required."],
  ["PUBLIC_SUPABASE_ANON_KEY", "supabaseKey is required."],
] as const) {
  test(`every form and the inbox show an error if ${name} is empty`, async ({ page, serve, draft, fillIn }) => {
    const { url } = await serve({ [name]: "" });
    await page.goto(url);
    await openContactForm(page);
    await fillIn(draft);
    await page.getByRole("button", { name: contactWords.send }).click();
    await expect(page.getByText(message)).toBeVisible();
    await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(draft.name);
    await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();

    await page.goto(`${url}/auth`);
    for (const mode of ["login", "signup"] as const) {
      await page.getByLabel(authWords.email).fill(draft.email);
      await page.getByLabel(authWords.password).fill("a long walk in the woods");
      await page.getByRole("button", { name: authWords[mode].submit, exact: true }).click();
      await expect(page.getByText(message)).toBeFocused();
      await expect(page.getByLabel(authWords.email)).toHaveValue(draft.email);
      await expect(page.getByLabel(authWords.password)).toHaveValue("a long walk in the woods");
      await page.getByRole("button", { name: authWords[mode].toggle }).click();
    }
    await page.getByRole("button", { name: mailWords.forgot }).click();
    await page.getByRole("button", { name: mailWords.send }).click();
    await expect(page.getByText(message)).toBeFocused();
    await expect(page.getByLabel(authWords.email)).toHaveValue(draft.email);

    expectConsoleError("");
    await page.goto(`${url}/admin/contacts`);
    await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
    await expect(page.getByText(message)).toBeVisible();
  });
}

test("contact form, login and inbox work with a backend at another origin", async ({
  page,
  serve,
  admin,
  draft,
  fillIn,
}) => {
  const { url } = await serve({ PUBLIC_SUPABASE_URL: siteUrl });
  await page.goto(url);
  await openContactForm(page);
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();

  await page.goto(`${url}/auth`);
  await page.getByLabel(authWords.email).fill(admin.email);
  await page.getByLabel(authWords.password).fill(admin.password);
  await page.getByRole("button", { name: authWords.login.submit, exact: true }).click();
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/admin/contacts`);
  const row = page.getByRole("row", { name: draft.email });
  await expect(page.getByRole("table")).toBeVisible();
  // Contacts of other tests may have moved this contact to a later page of the list.
  await expect(async () => {
    if (!(await row.isVisible())) await page.getByRole("button", { name: inboxWords.older }).click({ timeout: 1000 });
    await expect(row).toBeVisible({ timeout: 1000 });
  }).toPass();
  // Pending requests are refused after the logout, and the browser logs that.
  expectConsoleError("Failed to load resource");
  await page.getByRole("button", { name: inboxWords.logout }).click();
  await expect(page).toHaveURL(`${url}/auth`);
});

test("with a hosted project, nothing is asked that only our own server answers", async ({
  page,
  serve,
  admin,
  addApp,
}) => {
  const secret = await addApp(admin);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.route("**/auth/v1/settings", (route) => route.fulfill({ json: { external: {}, disable_signup: true } }));
  const { url } = await serve({ PUBLIC_SUPABASE_URL: siteUrl });
  await page.goto(`${url}/auth`);
  await expect(page.getByText(authWords.signUpClosed.short)).toBeVisible();
  await submitLogin(page, admin);
  await page.getByRole("button", { name: secondFactorStepWords.lost }).click();
  await expect(page.getByText(secondFactorStepWords.recovery.none)).toBeVisible();
  await expect(page.getByText(secondFactorStepWords.recovery.ask)).toBeVisible();
  await page.getByRole("button", { name: secondFactorStepWords.recovery.back }).click();
  await submitCode(page, totpCode(secret));
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/account`);
  await expect(page.getByText(secondFactorWords.second)).toBeVisible();
  await page.getByRole("button", { name: secondFactorWords.list.removeWhich("Phone") }).click();
  await expect(page.getByRole("dialog")).toContainText(secondFactorWords.removal.last);
  await expect(page.getByText("recovery codes")).toHaveCount(0);
  await page.getByRole("button", { name: secondFactorWords.removal.cancel }).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    accountWords.password.title,
    accountWords.email.title,
    secondFactorWords.title,
  ]);
  await page.goto(`${url}/admin/contacts`);
  await expect(page.getByRole("table").or(page.getByText(inboxMessages.empty))).toBeVisible();
  expect(asked).toContain("/rest/v1/rpc/inbox_news");
  expect(asked.filter((path) => /\/(sessions|audit|recovery-codes|delivery_failures)/.test(path))).toEqual([]);
});

test.describe("with a hosted project and without JavaScript,", () => {
  test.use({ javaScriptEnabled: false });

  test("a contact reaches the project, and the visitor gets the thank-you page", async ({
    page,
    serveHosted,
    draft,
    fillIn,
    storedFrom,
  }) => {
    // The site of all browser tests is the project.
    const { url } = await serveHosted(siteUrl);
    await page.goto(url);
    await fillIn(draft);
    await page.getByRole("button", { name: contactWords.send }).click();
    await expect(page).toHaveURL(/\/thanks/);
    await expect(page.getByText(contactMessages.sent)).toBeVisible();
    expect(await storedFrom(draft.email)).toEqual([{ ...draft, interest: "partnerships" }]);
    for (const path of ["/rest/v1/contacts", "/auth/v1/settings"]) {
      expect((await page.request.get(url + path, { headers: { apikey: defaultPublicKey } })).status()).toBe(404);
    }
  });

  test("if the project is down, the visitor keeps the typed text and reads where to write", async ({
    page,
    serveHosted,
    draft,
    fillIn,
    storedFrom,
  }) => {
    expectConsoleError("503");
    const { url } = await serveHosted(`http://localhost:${await freePort()}`);
    await page.goto(url);
    await fillIn(draft);
    await page.getByRole("button", { name: contactWords.send }).click();
    await expect(page.getByText(hostedMessages.notSaved)).toBeInViewport();
    await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(draft.name);
    await expect(page.getByLabel(contactWords.email)).toHaveValue(draft.email);
    await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();
    expect(await storedFrom(draft.email)).toEqual([]);
  });
});
