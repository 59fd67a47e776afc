import { resolve } from "node:path";
import Fastify, { type FastifyInstance } from "fastify";
import { accountWords } from "#content/account";
import { authWords, mailWords } from "#content/auth";
import { contactWords } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { contactMessages, pageMessages } from "#content/messages";
import { secondFactorWords } from "#content/second-factor";
import { secondFactorStepWords } from "#content/second-factor-step";
import { contactFormRoutes } from "#server/contact-form/contact-form-without-javascript";
import { defaultPublicKey } from "#server/settings";
import { type Asset, readAssets } from "#server/static-site/assets";
import { setErrorPages } from "#server/static-site/error-page";
import { pageRoutes } from "#server/static-site/page-routes";
import { siteUrl, testSiteSettings } from "../support/site.ts";
import { totpCode } from "../support/totp.ts";
import { button, submitLogin } from "./support/auth-forms.ts";
import { expectConsoleError, openContactForm } from "./support/fixtures.ts";
import { test as base, expect, submitCode } from "./support/second-factor.ts";

interface Settings {
  PUBLIC_SUPABASE_URL?: string;
  PUBLIC_SUPABASE_ANON_KEY?: string;
}

interface Fixtures {
  /** Serves the site at another origin, as if it had been built with these settings. */
  serve: (settings: Settings) => Promise<{ url: string }>;
}

const test = base.extend<Fixtures>({
  serve: async ({ browserName: _ }, use) => {
    const started: FastifyInstance[] = [];
    await use(async (settings) => {
      const app = Fastify({ forceCloseConnections: true });
      started.push(app);
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

test("forms and inbox say if the backend's address or key is empty", { tag: "@rare" }, async ({
  page,
  serve,
  draft,
  fillIn,
}) => {
  const withoutKey = await serve({ PUBLIC_SUPABASE_ANON_KEY: "" });
  await page.goto(withoutKey.url);
  await openContactForm(page);
  await fillIn(draft);
  await button(page, contactWords.send).click();
  await expect(page.getByText("supabaseKey is required.")).toBeVisible();

  const message = page.getByText("supabaseUrl is required.");
  const { url } = await serve({ PUBLIC_SUPABASE_URL: "" });
  await page.goto(url);
  await openContactForm(page);
  await fillIn(draft);
  await button(page, contactWords.send).click();
  await expect(message).toBeVisible();
  await expect(page.getByLabel(contactWords.name, { exact: true })).toHaveValue(draft.name);
  await expect(page.getByRole("radio", { name: draft.interest })).toBeChecked();

  await page.goto(`${url}/auth`);
  const { email } = draft;
  for (const mode of ["login", "signup"] as const) {
    await page.getByLabel(authWords.email).fill(email);
    await page.getByLabel(authWords.password).fill("a long walk in the woods");
    await button(page, authWords[mode].submit).click();
    await expect(message).toBeFocused();
    await expect(page.getByLabel(authWords.email)).toHaveValue(email);
    await button(page, authWords[mode].toggle).click();
  }
  await button(page, mailWords.forgot).click();
  await button(page, mailWords.send).click();
  await expect(message).toBeFocused();

  expectConsoleError("");
  await page.goto(`${url}/admin/contacts`);
  await expect(page.getByRole("heading", { name: pageMessages.unexpected })).toBeVisible();
  await expect(message).toBeVisible();
});

test("all works with a hosted project at another origin", async ({
  page,
  serve,
  admin,
  addApp,
  draft,
  fillIn,
  database,
}) => {
  const secret = await addApp(admin);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(new URL(request.url()).pathname));
  await page.route("**/auth/v1/settings", (route) => route.fulfill({ json: { external: {}, disable_signup: true } }));
  const { url } = await serve({ PUBLIC_SUPABASE_URL: siteUrl });
  await page.goto(`${url}/?ref=card`);
  await openContactForm(page);
  await fillIn(draft);
  await button(page, contactWords.send).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  // CORS lets the header with the source through: it is among those that the client sends anyway.
  const { rows } = await database.query("select campaign from contacts where email = $1", [draft.email]);
  expect(rows).toEqual([{ campaign: "card" }]);

  await page.goto(`${url}/auth`);
  await expect(page.getByText(authWords.signUpClosed.short)).toBeVisible();
  await submitLogin(page, admin);
  await button(page, secondFactorStepWords.lost).click();
  await expect(page.getByText(secondFactorStepWords.recovery.none)).toBeVisible();
  await expect(page.getByText(secondFactorStepWords.recovery.ask)).toBeVisible();
  await button(page, secondFactorStepWords.recovery.back).click();
  await submitCode(page, totpCode(secret));
  await expect(page).toHaveURL(`${url}/`);
  await page.goto(`${url}/account`);
  await expect(page.getByText(secondFactorWords.second)).toBeVisible();
  await button(page, secondFactorWords.list.removeWhich("Phone")).click();
  await expect(page.getByRole("dialog")).toContainText(secondFactorWords.removal.last);
  await expect(page.getByText(secondFactorWords.removal.codesEnd)).toHaveCount(0);
  await button(page, secondFactorWords.removal.cancel).click();
  await expect(page.getByRole("heading", { level: 2 })).toHaveText([
    accountWords.password.title,
    accountWords.email.title,
    secondFactorWords.title,
  ]);

  await page.goto(`${url}/admin/contacts?search=${draft.email}`);
  await expect(page.getByRole("row", { name: draft.email })).toBeVisible();
  expect(asked).toContain("/rest/v1/rpc/inbox_news");
  expect(asked.filter((path) => /\/(sessions|audit|recovery-codes|delivery_failures)/.test(path))).toEqual([]);
  // Pending requests are refused after the logout, and the browser logs that.
  expectConsoleError("Failed to load resource");
  await button(page, inboxWords.logout).click();
  await expect(page).toHaveURL(`${url}/auth`);
});
