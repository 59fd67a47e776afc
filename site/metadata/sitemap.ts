import { type PageWords, pages } from "#content/page-titles";

/**
 * Returns the sitemap, with all pages that are not `unlisted` (sitemaps.org, protocol 0.9). `@astrojs/sitemap` would write
 * two files and bring six packages.
 */
export function sitemap(site: URL, articles: readonly PageWords[] = []): string {
  const entries = [...pages, ...articles]
    .filter((page) => !page.unlisted)
    .map(({ path }) => `<url><loc>${xmlText(new URL(path, site).href)}</loc></url>`);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">',
    ...entries,
    "</urlset>",
    "",
  ].join("\n");
}

/** Allows crawlers to fetch all pages: a crawler must fetch a page to see its `noindex`. */
export function robots(site: URL): string {
  return ["User-agent: *", "Allow: /", "", `Sitemap: ${new URL("/sitemap.xml", site)}`, ""].join("\n");
}

function xmlText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
