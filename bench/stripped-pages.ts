import { createHash } from "node:crypto";
import { cp, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { load } from "cheerio";
import Fastify from "fastify";
import { securityHeaders } from "#backend/http/security-headers";
import { readAssets } from "#server/static-site/assets";
import { pageRoutes } from "#server/static-site/page-routes";
import { compressFolder } from "#site/built-pages/compress.ts";

/** All animations that move something are in this media query. */
const motionQuery = /\(prefers-reduced-motion:\s*no-preference\)/g;

/** Serves the floor: the pages of `buildDir` without scripts, typefaces and animations, with the product's own code. */
export async function serveStrippedPages(buildDir: string, folder: string) {
  await cp(buildDir, folder, { recursive: true });
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".html")) continue;
    const file = join(folder, name);
    await writeFile(file, stillWithoutScriptsAndFonts(await readFile(file, "utf8")));
  }
  await compressFolder(folder);

  const app = Fastify();
  const siteHeaders = securityHeaders({ https: false });
  const assets = [...(await readAssets(folder))].map(([path, asset]) => [path, { ...asset, siteHeaders }] as const);
  app.register(pageRoutes, { assets: new Map(assets) });
  return { url: await app.listen({ host: "localhost", port: 0 }), close: () => app.close() };
}

/**
 * Removes scripts, typefaces and animations from a page. This changes its styles, so their hashes in the content
 * security policy are updated.
 */
function stillWithoutScriptsAndFonts(html: string): string {
  const document = load(html);
  document("script, link[rel=preload], link[rel=modulepreload]").remove();

  let policy = document("meta[http-equiv=content-security-policy]").attr("content") ?? "";
  for (const style of document("style")) {
    const css = document(style).text();
    const less = css.replaceAll(/@font-face\s*\{[^}]*url\([^}]*\}/g, "").replaceAll(motionQuery, "(width < 0)");
    document(style).text(less);
    policy = policy.replace(hashOf(css), hashOf(less));
  }
  document("meta[http-equiv=content-security-policy]").attr("content", policy);
  return document.html();
}

function hashOf(text: string): string {
  return createHash("sha256").update(text).digest("base64");
}
