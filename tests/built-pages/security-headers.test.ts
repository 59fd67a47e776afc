// Asks the whole server, with the built site, for its security headers.
import { createHash } from "node:crypto";
import { resolve } from "node:path";
import { load } from "cheerio";
import type { InjectOptions } from "fastify";
import { pino } from "pino";
import { afterAll, describe, expect, test } from "vitest";
import { pages } from "#content/page-titles";
import { buildApp } from "#server/app";
import { defaultPublicKey, readSettings } from "#server/settings";
import { readAssets } from "#server/static-site/assets";
import { loadSigningKeys } from "#tests/support/signing-keys";
import { createDatabase } from "../support/database.ts";
import { testSiteSettings } from "../support/site.ts";

const database = await createDatabase();
const app = buildApp({
  settings: readSettings({ SITE_URL: "https://fernway.example" }),
  backend: { ...database, keys: await loadSigningKeys(database.owner), mailbox: undefined },
  assets: await readAssets(resolve(testSiteSettings.BUILD_DIR)),
  log: pino({ level: "silent" }),
});
app.get("/broken", () => {
  throw new Error("a secret of the server");
});
afterAll(() => app.close());

const html = { accept: "text/html" };
const form = { "content-type": "application/x-www-form-urlencoded" };
const key = { apikey: defaultPublicKey };
const addresses = pages.filter(({ anywhere }) => !anywhere).map(({ path }) => path);

describe.each<{ what: string; url: string; status: number; method?: "POST" }>([
  ...addresses.map((url) => ({ what: url, url, status: 200 })),
  { what: "the 404 page", url: "/no/such/page", status: 404 },
  { what: "the error page of a broken URL", url: "/%ff", status: 400 },
  { what: "the error page of a bug", url: "/broken", status: 500 },
  { what: "a refused contact form", url: "/contact", status: 422, method: "POST" },
])("$what", ({ url, status, method = "GET" }) => {
  const open = async () => {
    const answer = await app.inject({ method, url, headers: method === "POST" ? { ...html, ...form } : html });
    expect(answer.statusCode).toBe(status);
    return answer;
  };

  test("has all security headers, sets no cookie and is closed to pages of other origins", async () => {
    const { headers } = await open();
    expect(headers).toMatchObject({
      ...onEveryAnswer,
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": expect.stringMatching(/^strict-origin(-when-cross-origin)?$/),
    });
    expect(headers).not.toHaveProperty("set-cookie");
    const origin = { origin: "https://elsewhere.example", "access-control-request-method": "GET" };
    const preflight = await app.inject({ method: "OPTIONS", url, headers: origin });
    expect(preflight.headers).not.toHaveProperty("access-control-allow-origin");
  });

  test("has no inline script or style that its own Content-Security-Policy would block", async () => {
    const { headers, body } = await open();
    const policy = new Map(
      String(headers["content-security-policy"])
        .split(";")
        .map((directive) => directive.trim().split(/\s+/))
        .map(([name, ...sources]) => [name, sources]),
    );
    const $ = load(body);
    for (const [element, directive] of [
      ["script:not([src])", "script-src"],
      ["style", "style-src"],
    ] as const) {
      const inline = $(element).get();
      const hashes = inline.map((one) => `'sha256-${createHash("sha256").update($(one).text()).digest("base64")}'`);
      // The policy has no hash of another page.
      expect(new Set(policy.get(directive))).toEqual(new Set(["'self'", ...hashes]));
    }
    const attributes = $("*")
      .get()
      .flatMap((element) => Object.entries($(element).attr() ?? {}));
    const scripted = attributes.filter(([name, value]) => /^(on.*|style)$/.test(name) || /^javascript:/i.test(value));
    expect(scripted).toEqual([]);
    expect([...policy.keys()].sort()).toEqual(
      ["base-uri", "connect-src", "default-src", "font-src", "form-action", "frame-ancestors"].concat([
        "img-src",
        "manifest-src",
        "script-src",
        "style-src",
      ]),
    );
    for (const closed of ["default-src", "base-uri", "frame-ancestors"]) expect(policy.get(closed)).toEqual(["'none'"]);
    expect([...policy.values()].flat().join(" ")).not.toMatch(/unsafe|\*|(http|https|ftp|ws):/);
  });
});

test.each<[string, number, InjectOptions & { url: string }]>([
  ["a redirect to a page", 301, { url: "/account.html" }],
  ["a redirect to the form", 303, { url: "/contact" }],
  ["a file", 200, { url: "/sitemap.xml" }],
  ["a missing file", 404, { url: "/no/such/file" }],
  ["an unknown method", 404, { url: "/", method: "OPTIONS" }],
  ["a broken URL", 400, { url: "/%ff" }],
  ["a form that is too large", 413, { url: "/contact", method: "POST", headers: form, payload: "x".repeat(40_000) }],
  ["a form of another type", 415, { url: "/contact", method: "POST", headers: { "content-type": "text/xml" } }],
  ["a bug", 500, { url: "/broken" }],
  ["a call without the public key", 401, { url: "/rest/v1/contacts" }],
  ["a call without rights", 401, { url: "/rest/v1/contacts", headers: key }],
  ["an unknown table", 404, { url: "/rest/v1/nothing", headers: key }],
  ["a broken URL of the data API", 400, { url: "/rest/v1/%ff", headers: key }],
  ["a preflight", 204, { url: "/rest/v1/contacts", method: "OPTIONS" }],
  ["a call of the auth API", 200, { url: "/auth/v1/settings", headers: key }],
  ["a broken URL of the auth API", 400, { url: "/auth/v1/%ff", headers: key }],
  ["an unknown auth endpoint", 404, { url: "/auth/v1/nothing", headers: key }],
])("the answer to %s has all security headers", async (_what, status, { headers: sent, ...request }) => {
  const { statusCode, headers } = await app.inject({ ...request, headers: { accept: "application/json", ...sent } });
  expect(statusCode).toBe(status);
  expect(headers).toMatchObject(onEveryAnswer);
  expect(headers["content-security-policy"]).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  );
  expect(headers["cross-origin-resource-policy"]).toBe("same-origin");
  if (status !== 200 || request.url.startsWith("/auth")) expect(headers["cache-control"]).toBe("no-store");
  for (const name of ["set-cookie", "server", "x-powered-by"]) expect(headers).not.toHaveProperty(name);
});

test("a 304 has the same security headers as the page", async () => {
  const page = await app.inject({ url: "/auth", headers: html });
  const again = await app.inject({ url: "/auth", headers: { ...html, "if-none-match": String(page.headers.etag) } });
  expect(again.statusCode).toBe(304);
  const policies = ["cache-control", "content-security-policy", "cross-origin-resource-policy"];
  for (const name of policies) expect([name, again.headers[name]]).toEqual([name, page.headers[name]]);
  expect(again.headers).toMatchObject(onEveryAnswer);
});

test("other sites may show our images, but may not load our scripts and fonts", async () => {
  const policyOf = async (url: string) => (await app.inject({ url })).headers["cross-origin-resource-policy"];
  const $ = load((await app.inject({ url: "/auth", headers: html })).body);
  expect(await policyOf("/social-card.png")).toBe("cross-origin");
  const [font] = /\/_astro\/fonts\/\w+\.woff2/.exec($("style").text()) ?? [];
  for (const url of [font, $("astro-island").attr("component-url")])
    expect([url, await policyOf(url ?? "")]).toEqual([expect.stringMatching(/^\/_astro\//), "same-origin"]);
});

const onEveryAnswer = {
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": expect.stringContaining("camera=()"),
  "referrer-policy": "strict-origin",
  "strict-transport-security": "max-age=31536000",
  "x-content-type-options": "nosniff",
};
