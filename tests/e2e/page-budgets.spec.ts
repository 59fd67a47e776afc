import type { Browser } from "@playwright/test";
import { contactWords } from "#content/contact";
import { contactMessages } from "#content/messages";
import {
  account,
  auth,
  imprintPage,
  inbox,
  landing,
  pages,
  privacyPolicy,
  termsOfService,
  thanks,
} from "#content/page-titles";
import { caseStudyPaths } from "../support/built-site.ts";
import { siteUrl } from "../support/site.ts";
import { expect, openContactForm, test } from "./support/fixtures.ts";
import { openUntilQuiet } from "./support/loading.ts";

interface Budget {
  bytes: number;
  requests: number;
  scriptBytes: number;
}

/** A page to read is one document with its styles and scripts inline, and two typefaces, which are 40 KB. */
const toRead = (bytes: number): Budget => ({ bytes, requests: 3, scriptBytes: 0 });

/**
 * What a browser may load before a person does anything, Brotli and headers included. Each limit is 3 % above the
 * weight of the page when it was last changed on purpose, which is more than the length of an address changes. A page for members adds React (57 KB) and Supabase's clients
 * for accounts and data (24 KB), which it needs at once.
 */
const budgets: Readonly<Record<string, Budget>> = {
  [landing.path]: toRead(73_000),
  [privacyPolicy.path]: toRead(54_300),
  [termsOfService.path]: toRead(52_500),
  ...Object.fromEntries(imprintPage.map(({ path }) => [path, toRead(55_900)])),
  ...Object.fromEntries(caseStudyPaths.map((path) => [path, toRead(52_000)])),
  [thanks.path]: toRead(51_000),
  "/no/such/path": toRead(51_400),
  [auth.path]: { bytes: 170_200, requests: 24, scriptBytes: 116_700 },
  [inbox.path]: { bytes: 198_400, requests: 23, scriptBytes: 143_000 },
  [account.path]: { bytes: 182_400, requests: 27, scriptBytes: 131_000 },
};

test("the first load of each page keeps its budget, compressed, from this host alone", async ({ browser }) => {
  const listed = pages.filter(({ anywhere }) => !anywhere).map(({ path }) => path);
  expect(Object.keys(budgets)).toEqual(expect.arrayContaining(listed));

  const loads = await Promise.all(Object.keys(budgets).map((path) => loadFirst(browser, path)));
  for (const { path, foreign, uncompressed, beforePaint, ...loaded } of loads) {
    expect([path, foreign, uncompressed, beforePaint]).toEqual([path, [], [], []]);
    expect(loaded.requests, path).toBeGreaterThan(0);
    for (const [unit, limit] of Object.entries(budgets[path] ?? {})) {
      expect(loaded[unit as keyof Budget], `${unit} of ${path}`).toBeLessThanOrEqual(limit);
    }
  }
});

test("until a contact is sent, the landing page loads React and little more", async ({ page, draft, fillIn }) => {
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const scripts = new Set<string>();
  let bytes = 0;
  client.on("Network.responseReceived", ({ requestId, type }) => type === "Script" && scripts.add(requestId));
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (scripts.has(requestId)) bytes += encodedDataLength;
  });
  await page.goto("/");
  await openContactForm(page);
  await fillIn(draft);
  await page.getByRole("button", { name: contactWords.send }).click();
  await expect(page.getByText(contactMessages.sent)).toBeVisible();
  expect(bytes).toBeLessThanOrEqual(78_000);
});

const invalidSession = JSON.stringify({
  access_token: "a.b.c",
  refresh_token: "d",
  expires_at: 4_102_444_800,
  user: {},
});

async function loadFirst(browser: Browser, path: string) {
  const page = await browser.newPage();
  const client = await page.context().newCDPSession(page);
  await client.send("Network.enable");
  const loaded = { path, bytes: 0, requests: 0, scriptBytes: 0, foreign: [] as string[], uncompressed: [] as string[] };
  const scripts = new Set<string>();
  const notLoaded = new Set<string>();
  const text = /^text|javascript|json/;
  page.on("request", (request) => {
    if (!/^data:/.test(request.url()) && new URL(request.url()).origin !== siteUrl) loaded.foreign.push(request.url());
  });
  client.on("Network.responseReceived", ({ requestId, type, response: { url, status, mimeType, headers } }) => {
    // Only some builds of Chromium load the icon of a page that no person sees. Data URLs are part of the page.
    if (/\/(favicon\.svg|icon-32\.png)$|^data:/.test(url)) notLoaded.add(requestId);
    if (type === "Script") scripts.add(requestId);
    // The auth settings, which the login asks for, fit into one packet as they are.
    const isFile = !url.endsWith("/auth/v1/settings");
    if (isFile && status === 200 && text.test(mimeType) && headers["content-encoding"] !== "br")
      loaded.uncompressed.push(url);
  });
  client.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
    if (notLoaded.has(requestId)) return;
    loaded.requests += 1;
    loaded.bytes += encodedDataLength;
    if (scripts.has(requestId)) loaded.scriptBytes += encodedDataLength;
  });

  // A page for members sends people without a stored session to the login. This session is stored but not valid.
  if (path === inbox.path || path === account.path)
    await page.addInitScript((session) => localStorage.setItem("sb-localhost-auth-token", session), invalidSession);
  await openUntilQuiet(page, siteUrl + path);
  const beforePaint = await page.evaluate(() => {
    const paint = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.POSITIVE_INFINITY;
    // After a second without a paint, the page waits no longer (first-paint.ts).
    const early = performance.getEntriesByType("resource").filter(({ startTime }) => startTime < Math.min(paint, 1000));
    return early
      .map(({ name }) => new URL(name).pathname)
      .filter((name) => name.startsWith("/_astro/") && !name.endsWith(".woff2"));
  });
  await page.close();
  return { ...loaded, beforePaint };
}
