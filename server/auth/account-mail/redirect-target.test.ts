import { describe, expect, test } from "vitest";
import { fc } from "#tests/support/property";
import { redirectTarget } from "./redirect-target.ts";

const siteUrl = "https://site.example";
const home = `${siteUrl}/`;

function targetOf(asked: string, redirectUrls: readonly string[] = [], of = siteUrl): string {
  return redirectTarget(asked, { siteUrl: of, redirectUrls }).href;
}

describe("without a list", () => {
  test.each(["/", "/auth", "/admin/contacts?page=2", "/a/../b", "/%2e%2e/x", "/?next=https://evil.example"])(
    "the site's own %s is a target",
    (path) => expect(targetOf(siteUrl + path)).toBe(new URL(path, siteUrl).href),
  );

  test("neither the fragment nor the case of the host matters, nor the port that is meant anyway", () => {
    expect(targetOf("HTTPS://Site.Example:443/Welcome#access_token=x")).toBe(`${siteUrl}/Welcome`);
  });

  test.each([
    "http://site.example/",
    "https://site.example:8443/",
    "https://site.example.evil.example/",
    "https://evil.example/https://site.example/",
    "https://site.example//evil.example/login",
    "https://site.example@evil.example/",
    "https://evil.example\\@site.example/",
    "https://user:secret@site.example/",
    "https://@site.example/",
    "https:/site.example/",
    "https:site.example/",
    "https:\\\\site.example/",
    "https:///site.example/",
    "https://site%2eexample/",
    "https://site。example/",
    "https://sit\te.example/",
    "https://site.example/\n",
    " https://site.example/",
    "https://site.example./",
    "//site.example/",
    "/auth",
    "javascript:alert(1)",
    "javascript://site.example/%0aalert(1)",
    "data:text/html,x",
    "blob:https://site.example/x",
    "ftp://site.example/",
    "http://localhost:3000/",
    "http://127.0.0.1/",
    "http://2130706433/",
    "http://0x7f.1/",
    "http://[::1]/",
    `${siteUrl}/${"x".repeat(3000)}`,
    "",
  ])("%j is the front page", (asked) => expect(targetOf(asked)).toBe(home));
});

describe("a site on one's own machine", () => {
  const local = "http://localhost:3000";

  test.each(["http://localhost:4321/auth", "http://127.0.0.1:3000/", "http://[::1]:5173/x"])(
    "may be left for %s",
    (asked) => expect(targetOf(asked, [], local)).toBe(asked),
  );

  test.each(["http://2130706433:3000/", "http://0x7f.1/", "http://127.1/", "http://localhost.evil.example/"])(
    "may not be left for %s",
    (asked) => expect(targetOf(asked, [], local)).toBe(`${local}/`),
  );
});

describe("the list", () => {
  test.each([
    ["https://app.example", "https://app.example/"],
    ["https://app.example/welcome", "https://app.example/welcome#here"],
    ["https://*.example.org/*", "https://preview-7.example.org/welcome"],
    ["https://*.example.org/**", "https://preview-7.example.org/a/b.html?c=d"],
    ["https://**.example.org/", "https://a.b.example.org/"],
    ["http://localhost:*/**", "http://localhost:4321/a/b"],
    ["https://app.example/?from=mail", "https://app.example/?from=mail"],
    ["HTTPS://App.Example/", "https://app.example/"],
  ])("%s allows %s", (glob, asked) => expect(targetOf(asked, [glob])).toBe(asked.replace(/#.*/, "")));

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
  ])("%s does not allow %s", (glob, asked) => expect(targetOf(asked, [glob])).toBe(home));
});

/** Addresses and things that only look like them, most of them almost right. */
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

describe("whatever is asked", () => {
  const redirectUrls = ["https://app.example/**", "https://*.preview.example/*"];
  const allowed = /^https:\/\/(site\.example|app\.example|[^./@:]*\.preview\.example)\/[^#]*$/;

  test("the target is the site or on the list, for any browser that follows it", () => {
    fc.assert(
      fc.property(anyAddress, (asked) => {
        const target = targetOf(asked, redirectUrls);
        expect(target).toMatch(allowed);
        expect(new URL(target)).toMatchObject({ username: "", password: "", hash: "" });
        expect(targetOf(target, redirectUrls)).toBe(target);
      }),
      { numRuns: 3000 },
    );
  });

  test("every page of the site is a target", () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const page = new URL(`${siteUrl}${path}?${query}`);
        // Resolved first: `/.//` becomes `//`, which is no page of the site.
        fc.pre(!page.pathname.startsWith("//"));
        const asked = page.href;
        expect(targetOf(asked)).toBe(asked);
      }),
    );
  });

  test("every other origin is the front page", () => {
    fc.assert(
      fc.property(fc.webUrl(), (asked) => {
        fc.pre(new URL(asked).origin !== siteUrl);
        expect(targetOf(asked)).toBe(home);
      }),
    );
  });
});
