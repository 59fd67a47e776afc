import { globSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { type CheerioAPI, load } from "cheerio";
import Fastify from "fastify";
import { account, inbox, pages } from "#content/page-titles";
import { contactFormRoutes } from "#server/contact-form/contact-form-without-javascript";
import { readAssets } from "#server/static-site/assets";
import { setErrorPages } from "#server/static-site/error-page";
import { pageRoutes } from "#server/static-site/page-routes";
import { siteUrl, testSiteSettings } from "./site.ts";

/** The pages that need no session. */
export const publicPages = pages.filter((page) => !page.anywhere && page !== inbox && page !== account);

/** The pages of `content/case-studies/`; a draft has no day. */
export const caseStudyPaths = globSync("content/case-studies/*.md")
  .filter((file) => /^published: *\d/m.test(readFileSync(file, "utf8")))
  .map((file) => `/case-studies/${basename(file, ".md")}`);

/** Serves the built site with the product's own code, without a port or a browser. */
export async function serveBuiltSite() {
  const assets = await readAssets(resolve(testSiteSettings.BUILD_DIR));
  const app = Fastify();
  setErrorPages(app, assets);
  app.register(contactFormRoutes, { assets, siteUrl, saveContact: async () => {} });
  app.register(pageRoutes, { assets });

  const get = (path: string, headers: Record<string, string> = {}) =>
    app.inject({ url: path.replace(siteUrl, ""), headers: { accept: "text/html", ...headers } });
  return {
    get,
    async open(path: string): Promise<CheerioAPI> {
      return load((await get(path)).body);
    },
    stop: () => app.close(),
  };
}
