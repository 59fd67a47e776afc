import sharp from "sharp";
import { afterAll, describe, expect, test } from "vitest";
import { brand } from "#content/brand";
import { language } from "#content/language";
import { pages } from "#content/page-titles";
import { hasOwnColours } from "#site/drawings/logo.tsx";
import { light } from "#site/styles/colours.ts";
import { parseHex } from "#site/styles/oklch.ts";
import { caseStudyPaths, serveBuiltSite } from "../support/built-site.ts";
import { siteUrl } from "../support/site.ts";

const listed = pages.filter(({ unlisted }) => !unlisted);

const site = await serveBuiltSite();
afterAll(site.stop);

test.each(pages.filter(({ anywhere }) => !anywhere))("$path has its title and one canonical link", async (page) => {
  expect((await site.get(page.path)).statusCode).toBe(200);
  const $ = await site.open(page.path);
  expect($("html").attr("lang")).toBe(language);
  expect($("title").text()).toBe(page.title);
  expect($("meta[name=description]").attr("content")).toBe(page.description);
  expect(
    $("link[rel=canonical]")
      .map((_, link) => new URL($(link).attr("href") ?? "").href)
      .get(),
  ).toEqual([new URL(page.path, siteUrl).href]);
  expect($("meta[name=robots]").attr("content")).toBe(page.unlisted ? "noindex" : undefined);
});

describe.each(listed)("$path", ({ path, title, description }) => {
  test("has meta tags and an image for previews of shared links", async () => {
    const $ = await site.open(path);
    const tags = Object.fromEntries(
      $("meta[property], meta[name^=twitter]")
        .get()
        .map((meta) => [$(meta).attr("property") ?? $(meta).attr("name"), $(meta).attr("content")]),
    );
    expect(tags).toMatchObject({
      "og:title": title,
      "og:description": description,
      "og:url": new URL(path, siteUrl).href,
      "og:site_name": brand.name,
      "og:locale": language.replace("-", "_"),
      "og:image": `${siteUrl}/social-card.png`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": expect.stringMatching(/.{20,}/),
      "twitter:card": "summary_large_image",
    });

    const card = await site.get(tags["og:image"]);
    expect(card.headers["content-type"]).toBe("image/png");
    expect(await sharp(card.rawPayload).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    expect(card.rawPayload.length).toBeLessThan(150 * 1024);
  });

  test("has structured data about the organization", async () => {
    const $ = await site.open(path);
    const data = JSON.parse($("script[type='application/ld+json']").text());
    expect(data["@graph"][0]).toMatchObject({ "@type": "Organization", url: `${siteUrl}/` });
  });
});

test("the page for an unknown path has noindex, no canonical link, no structured data", async () => {
  const $ = await site.open("/no/such/path");
  expect($("meta[name=robots]").attr("content")).toBe("noindex");
  expect($("link[rel=canonical], meta[property='og:url']")).toHaveLength(0);
  expect($("script[type='application/ld+json']")).toHaveLength(0);
});

test("every icon named in the page or in the manifest has its declared size", async () => {
  const $ = await site.open("/");
  const links = $("link[rel=icon][type='image/png'], link[rel=apple-touch-icon]")
    .get()
    .map((link) => ({ src: $(link).attr("href") ?? "", sizes: $(link).attr("sizes") ?? "180x180" }));
  const manifest = (await site.get("/site.webmanifest")).json();
  const named: { src: string; sizes: string }[] = [...links, ...manifest.icons];
  expect(named).toHaveLength(5);
  for (const { src, sizes } of named) {
    const { width, height, format } = await sharp((await site.get(src)).rawPayload).metadata();
    expect([src, format, `${width}x${height}`]).toEqual([src, "png", sizes]);
  }
  expect(manifest).toMatchObject({ name: brand.name, start_url: "/", theme_color: expect.stringMatching(/^#/) });
});

test("the SVG favicon has the ground of the panel or, with a colourful logo, of the page; the ICO has three sizes", async () => {
  const svg = (await site.get("/favicon.svg")).rawPayload;
  expect(await sharp(svg).metadata()).toMatchObject({ format: "svg", width: 32, height: 32 });
  const { dominant } = await sharp(svg).flatten({ background: "#ffffff" }).stats();
  const ground = parseHex(hasOwnColours ? light.ground : light.panel);
  const found = parseHex(
    `#${[dominant.r, dominant.g, dominant.b].map((value) => value.toString(16).padStart(2, "0")).join("")}`,
  );
  // `stats` counts in steps of 16.
  expect(Math.abs(found.lightness - ground.lightness)).toBeLessThan(0.05);

  const ico = (await site.get("/favicon.ico")).rawPayload;
  expect([...ico.subarray(0, 6)]).toEqual([0, 0, 1, 0, 1, 0]);
  expect(ico.readUInt32LE(14)).toBe(ico.length - 22);
  expect((await sharp(ico.subarray(22)).metadata()).width).toBe(32);
});

test.each([
  ["/favicon.svg", "image/svg+xml"],
  ["/favicon.ico", "image/x-icon"],
  ["/apple-touch-icon.png", "image/png"],
  ["/social-card.png", "image/png"],
  ["/site.webmanifest", "application/manifest+json; charset=utf-8"],
  ["/sitemap.xml", "application/xml; charset=utf-8"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/humans.txt", "text/plain; charset=utf-8"],
  ["/.well-known/security.txt", "text/plain; charset=utf-8"],
])("%s has type %s and must be revalidated", async (path, type) => {
  const { headers, statusCode } = await site.get(path);
  expect([statusCode, headers["content-type"], headers["cache-control"]]).toEqual([200, type, "no-cache"]);
  const again = await site.get(path, { "if-none-match": String(headers.etag) });
  expect(again.statusCode).toBe(304);
});

test("robots.txt names the sitemap, which has the canonical link of every listed page", async () => {
  const sitemap = (await site.get("/robots.txt")).body.match(/^Sitemap: (\S+)$/m)?.[1] ?? "";
  const addresses = [...(await site.get(sitemap)).body.matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, address = ""]) => address,
  );
  expect(addresses).toHaveLength(listed.length + caseStudyPaths.length);
  for (const address of addresses) {
    const $ = await site.open(address);
    expect($("link[rel=canonical]").attr("href")).toBe(address);
    expect($("meta[name=robots]")).toHaveLength(0);
  }
});

test("security.txt expires within a year", async () => {
  const text = (await site.get("/.well-known/security.txt")).body;
  const days = (Date.parse(text.match(/^Expires: (\S+)$/m)?.[1] ?? "") - Date.now()) / (24 * 60 * 60 * 1000);
  expect(days).toBeGreaterThan(0);
  expect(days).toBeLessThan(365);
  expect(text).toContain(`Canonical: ${siteUrl}/.well-known/security.txt`);
});
