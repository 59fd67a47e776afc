import { createHash } from "node:crypto";
import sharp from "sharp";
import { brand } from "#content/brand";
import { pages } from "#content/pages";
import { siteUrl } from "./support/address.ts";
import { expect, expectComplaint, test } from "./support/fixtures.ts";

const listed = pages.filter(({ unlisted }) => !unlisted);

for (const { path, title, description } of listed) {
  test(`${path}, when shared, brings its words and the card`, async ({ page, request }) => {
    await page.goto(path);
    const said = await page
      .locator("meta[property], meta[name^=twitter]")
      .evaluateAll((all) =>
        Object.fromEntries(
          all.map((meta) => [meta.getAttribute("property") ?? meta.getAttribute("name"), meta.getAttribute("content")]),
        ),
      );
    expect(said).toMatchObject({
      "og:title": title,
      "og:description": description,
      "og:url": new URL(path, siteUrl).href,
      "og:site_name": brand.name,
      "og:image": `${siteUrl}/social-card.png`,
      "og:image:width": "1200",
      "og:image:height": "630",
      "og:image:alt": expect.stringMatching(/.{20,}/),
      "twitter:card": "summary_large_image",
    });

    const card = await request.get(said["og:image"]);
    expect(card.headers()["content-type"]).toBe("image/png");
    const body = await card.body();
    expect(await sharp(body).metadata()).toMatchObject({ format: "png", width: 1200, height: 630 });
    expect(body.length).toBeLessThan(150 * 1024);
  });

  test(`${path} describes itself to machines without a complaint from its policy`, async ({ page }) => {
    await page.addInitScript(() => {
      const violations: string[] = [];
      Object.assign(window, { violations });
      document.addEventListener("securitypolicyviolation", (event) => violations.push(event.violatedDirective));
    });
    const answer = await page.goto(path);
    const data = JSON.parse((await page.locator("script[type='application/ld+json']").textContent()) ?? "");
    expect(data["@graph"][0]).toMatchObject({ "@type": "Organization", url: `${siteUrl}/` });
    expect(await page.evaluate(() => (window as unknown as { violations: string[] }).violations)).toEqual([]);

    const policy = answer?.headers()["content-security-policy"] ?? "";
    const inline = await page
      .locator("script:not([src])")
      .evaluateAll((all) => all.map((script) => script.textContent));
    for (const text of inline) {
      expect(policy).toContain(
        `'sha256-${createHash("sha256")
          .update(text ?? "")
          .digest("base64")}'`,
      );
    }
  });
}

test("what is not listed neither describes itself nor, where it answers at any address, claims one", async ({
  page,
}) => {
  expectComplaint("404");
  expectComplaint("/no/such/path");
  await page.goto("/no/such/path");
  await expect(page.locator("meta[name=robots]")).toHaveAttribute("content", "noindex");
  await expect(page.locator("link[rel=canonical], meta[property='og:url']")).toHaveCount(0);
  await expect(page.locator("script[type='application/ld+json']")).toHaveCount(0);
});

test("every icon that a page or the manifest names has the size it promises", async ({ page, request }) => {
  await page.goto("/");
  const links = await page
    .locator("link[rel=icon][type='image/png'], link[rel=apple-touch-icon]")
    .evaluateAll((all) => all.map((link) => [link.getAttribute("href"), link.getAttribute("sizes")] as const));
  const manifest = await (await request.get("/site.webmanifest")).json();
  const named = [
    ...links.map(([src, sizes]) => ({ src, sizes: sizes ?? "180x180" })),
    ...(manifest.icons as { src: string; sizes: string }[]),
  ];
  expect(named).toHaveLength(5);
  for (const { src, sizes } of named) {
    const { width, height, format } = await sharp(await (await request.get(src ?? "")).body()).metadata();
    expect([src, format, `${width}x${height}`]).toEqual([src, "png", sizes]);
  }
  expect(manifest).toMatchObject({ name: brand.name, start_url: "/", theme_color: expect.stringMatching(/^#/) });
});

test("the drawn favicon is light on dark whatever stands around it, and the old one holds three sizes", async ({
  request,
}) => {
  const svg = await (await request.get("/favicon.svg")).body();
  expect(await sharp(svg).metadata()).toMatchObject({ format: "svg", width: 32, height: 32 });
  const { dominant } = await sharp(svg).flatten({ background: "#ffffff" }).stats();
  expect(Math.max(dominant.r, dominant.g, dominant.b)).toBeLessThan(64);

  const ico = await (await request.get("/favicon.ico")).body();
  expect([...ico.subarray(0, 6)]).toEqual([0, 0, 1, 0, 3, 0]);
  const sizes = [0, 1, 2].map(async (index) => {
    const entry = ico.subarray(6 + 16 * index, 22 + 16 * index);
    const [length, offset] = [entry.readUInt32LE(8), entry.readUInt32LE(12)];
    return (await sharp(ico.subarray(offset, offset + length)).metadata()).width;
  });
  expect(await Promise.all(sizes)).toEqual([16, 32, 48]);
});

for (const [path, type] of [
  ["/favicon.svg", "image/svg+xml"],
  ["/favicon.ico", "image/x-icon"],
  ["/apple-touch-icon.png", "image/png"],
  ["/social-card.png", "image/png"],
  ["/site.webmanifest", "application/manifest+json; charset=utf-8"],
  ["/sitemap.xml", "application/xml; charset=utf-8"],
  ["/robots.txt", "text/plain; charset=utf-8"],
  ["/humans.txt", "text/plain; charset=utf-8"],
  ["/.well-known/security.txt", "text/plain; charset=utf-8"],
] as const) {
  test(`${path} is served as ${type} and asked for again after a build`, async ({ request }) => {
    const { headers, status } = await request.get(path).then((answer) => ({
      headers: answer.headers(),
      status: answer.status(),
    }));
    expect([status, headers["content-type"], headers["cache-control"]]).toEqual([
      200,
      type,
      "public, max-age=0, must-revalidate",
    ]);
    const again = await request.get(path, { headers: { "if-none-match": headers.etag ?? "" } });
    expect(again.status()).toBe(304);
  });
}

test("robots find the sitemap, the sitemap the pages, and every page names itself as the sitemap does", async ({
  page,
  request,
}) => {
  const robots = await (await request.get("/robots.txt")).text();
  const sitemap = robots.match(/^Sitemap: (\S+)$/m)?.[1] ?? "";
  const addresses = [...(await (await request.get(sitemap)).text()).matchAll(/<loc>(.*?)<\/loc>/g)].map(
    ([, address = ""]) => address,
  );
  expect(addresses).toHaveLength(listed.length);
  for (const address of addresses) {
    await page.goto(address);
    await expect(page.locator("link[rel=canonical]")).toHaveAttribute("href", address);
    await expect(page.locator("meta[name=robots]")).toHaveCount(0);
  }
});

test("the security contact is still valid, for less than a year", async ({ request }) => {
  const text = await (await request.get("/.well-known/security.txt")).text();
  const days = (Date.parse(text.match(/^Expires: (\S+)$/m)?.[1] ?? "") - Date.now()) / (24 * 60 * 60 * 1000);
  expect(days).toBeGreaterThan(0);
  expect(days).toBeLessThan(365);
  expect(text).toContain(`Canonical: ${siteUrl}/.well-known/security.txt`);
});
