import type { FastifyRequest } from "fastify";
import { describe, expect, test } from "vitest";
import { fc } from "#tests/support/seeded-fast-check";
import { rowsOf } from "#tests/support/text-table";
import { readRedirectTarget } from "./redirect-target.ts";

const siteUrl = "https://site.example";
const home = `${siteUrl}/`;

function targetOf(requested: string, redirectUrls: readonly string[] = [], ownUrl = siteUrl): string {
  const request = { headers: {}, query: { redirect_to: requested } } as unknown as FastifyRequest;
  return readRedirectTarget(request, { siteUrl: ownUrl, redirectUrls }).href;
}

describe("without AUTH_REDIRECT_URLS, a mailed link", () => {
  test.each(["/", "/auth", "/admin/contacts?page=2", "/a/../b", "/%2e%2e/x", "/?next=https://evil.example"])(
    "may redirect to the site's page %s",
    (path) => expect(targetOf(siteUrl + path)).toBe(new URL(path, siteUrl).href),
  );

  test("may redirect to the site's URL written in upper case and with its port; the fragment is dropped", () => {
    expect(targetOf("HTTPS://Site.Example:443/Welcome#access_token=x")).toBe(`${siteUrl}/Welcome`);
  });

  test.each([
    ...rowsOf(String.raw`
      http://site.example/  https://site.example:8443/  https://site.example.evil.example/  https://site.example./
      https://evil.example/https://site.example/  https://site.example//evil.example/login  https://site.example@evil.example/
      https://evil.example\@site.example/  https://user:secret@site.example/  https://@site.example/  https:/site.example/
      https:site.example/  https:\\site.example/  https:///site.example/  https://site%2eexample/  https://site。example/
      //site.example/  /auth  javascript:alert(1)  javascript://site.example/%0aalert(1)  data:text/html,x
      blob:https://site.example/x  ftp://site.example/  http://localhost:3000/  http://127.0.0.1/  http://2130706433/
      http://0x7f.1/  http://[::1]/`).flat(),
    ...["https://sit\te.example/", "https://site.example/\n", " https://site.example/"],
    `${siteUrl}/${"x".repeat(3000)}`,
    "",
  ])("redirects to the front page instead of %j", (requested) => expect(targetOf(requested)).toBe(home));
});

describe("on a site with a loopback SITE_URL, a mailed link", () => {
  const local = "http://localhost:3000";

  test.each(["http://localhost:4321/auth", "http://127.0.0.1:3000/", "http://[::1]:5173/x"])(
    "may redirect to the loopback URL %s",
    (requested) => expect(targetOf(requested, [], local)).toBe(requested),
  );

  test.each(["http://2130706433:3000/", "http://0x7f.1/", "http://127.1/", "http://localhost.evil.example/"])(
    "redirects to the front page instead of %s",
    (requested) => expect(targetOf(requested, [], local)).toBe(`${local}/`),
  );
});

describe("the AUTH_REDIRECT_URLS entry", () => {
  test.each([
    ["https://app.example", "https://app.example/"],
    ["https://app.example/welcome", "https://app.example/welcome#here"],
    ["https://*.example.org/*", "https://preview-7.example.org/welcome"],
    ["https://*.example.org/**", "https://preview-7.example.org/a/b.html?c=d"],
    ["https://**.example.org/", "https://a.b.example.org/"],
    ["http://localhost:*/**", "http://localhost:4321/a/b"],
    ["https://app.example/?from=mail", "https://app.example/?from=mail"],
    ["HTTPS://App.Example/", "https://app.example/"],
  ])("%s allows a mailed link to redirect to %s", (glob, requested) =>
    expect(targetOf(requested, [glob])).toBe(requested.replace(/#.*/, "")),
  );

  test.each([
    ["https://app.example", "https://app.example/welcome"],
    ["https://app.example", "http://app.example/"],
    ["https://app.example", "https://app.example.evil.example/"],
    ["https://*.example.org/*", "https://a.b.example.org/"],
    ["https://*.example.org/*", "https://a.example.org/b/c"],
    ["https://*.example.org/*", "https://a.example.org/b.html"],
    ["https://**.example.org/**", "https://evil.example/.example.org/"],
    ["https://**.example.org/**", "https://evil.example?.example.org/"],
    ["https://a.example.org/**", "https://axexample.org/"],
    ["https://**.example.org/**", "https://user@a.example.org/"],
    ["http://**/**", "http://2130706433/"],
    ["https://app.example/a+", "https://app.example/aa"],
  ])("%s does not allow %s: a mailed link redirects to the front page", (glob, requested) =>
    expect(targetOf(requested, [glob])).toBe(home),
  );
});

/** URLs and texts that look like URLs. Most of them are almost valid. */
const anyAddress = fc.oneof(
  fc.string({ unit: "binary" }),
  fc.webUrl({ withQueryParameters: true, withFragments: true }),
  fc
    .array(
      fc.oneof(
        fc.constantFrom("https://", "http://", "//", "javascript:", "site.example", "app.example", "evil.example"),
        fc.constantFrom("@", ":", "\\", "/", ".", "#", "?", "%2f", "%5c", "%00", "\t", "\n", "。", "[", "]", "443"),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join("")),
  fc.tuple(fc.constantFrom("https://site.example", "https://app.example"), fc.string()).map((parts) => parts.join("")),
);

describe("with random requested URLs, a mailed link", () => {
  const redirectUrls = ["https://app.example/**", "https://*.preview.example/*"];
  const allowed = /^https:\/\/(site\.example|app\.example|[^./@:]*\.preview\.example)\/[^#]*$/;

  test("redirects to the site or to a URL that AUTH_REDIRECT_URLS allows", () => {
    fc.assert(
      fc.property(anyAddress, (requested) => {
        const target = targetOf(requested, redirectUrls);
        expect(target).toMatch(allowed);
        expect(new URL(target)).toMatchObject({ username: "", password: "", hash: "" });
        expect(targetOf(target, redirectUrls)).toBe(target);
      }),
      { numRuns: 500 },
    );
  });

  test("may redirect to every page of the site", () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const page = new URL(`${siteUrl}${path}?${query}`);
        // Check the path after the URL parser has resolved it: `/.//` becomes `//`, which is not a page of the site.
        fc.pre(!page.pathname.startsWith("//"));
        const requested = page.href;
        expect(targetOf(requested)).toBe(requested);
      }),
    );
  });

  test("redirects to the front page instead of a URL with another origin", () => {
    fc.assert(
      fc.property(fc.webUrl(), (requested) => {
        fc.pre(new URL(requested).origin !== siteUrl);
        expect(targetOf(requested)).toBe(home);
      }),
    );
  });
});
