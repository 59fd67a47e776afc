import { existsSync, globSync } from "node:fs";
import { join, relative } from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { contactMessages, inboxMessages } from "#content/messages";
import { accountLink, inboxLink } from "#content/navigation";
import { pageProblems } from "#content/page-problems";
import { inbox, pages, thanks } from "#content/page-titles";
import { projects } from "#content/projects";
import { services } from "#content/services";
import { caseStudyPaths, publicPages, serveBuiltSite } from "../support/built-site.ts";
import { testSiteSettings } from "../support/site.ts";

const site = await serveBuiltSite();
afterAll(site.stop);

test("the HTML of the landing page names all services and projects before any script runs", async () => {
  const text = (await site.open("/"))("body").text();
  for (const { name } of [...services, ...projects]) expect(text).toContain(name);
});

test("the landing page and the sitemap lead to each case study, whose figures have a source", async () => {
  const $ = await site.open("/");
  const sitemap = (await site.get("/sitemap.xml")).body;
  for (const path of caseStudyPaths) {
    expect($(`#current-projects a[href='${path}']`), path).toHaveLength(1);
    expect(sitemap).toContain(`${path}</loc>`);
    const study = await site.open(path);
    expect(study("#results-heading ~ ul li p:nth-child(2)").text()).toMatch(/\S+\. \S+/);
    expect(study("main a[href='/#contact']")).toHaveLength(1);
    expect((await site.get(`${path}.png`)).headers["content-type"]).toBe("image/png");
  }
});

test("every page stands in the list of content/page-titles.ts", () => {
  const files = globSync("site/pages/**/*.astro", { exclude: ["**/*[[]*"] });
  const paths = files.map((file) =>
    `/${relative("site/pages", file)}`.replaceAll("\\", "/").replace(/(index)?\.astro$/, ""),
  );
  expect(paths.length).toBeGreaterThan(5);
  expect(pages.map(({ path }) => path)).toEqual(expect.arrayContaining(paths));
});

test("every internal link leads to a page and an anchor that exist", async () => {
  const opened = new Map<string, ReturnType<typeof site.open>>();
  const open = (path: string) => opened.getOrInsertComputed(path, site.open);
  for (const path of [...publicPages.map(({ path }) => path), ...caseStudyPaths]) {
    const $ = await open(path);
    const links = $("a[href^='/'], a[href^='#']")
      .get()
      .map((link) => $(link).attr("href") ?? "");
    expect(links.length).toBeGreaterThan(0);
    for (const link of new Set(links)) {
      const { pathname, hash } = new URL(link, `http://site.example${path}`);
      const answer = await site.get(pathname);
      expect([path, link, answer.statusCode]).toEqual([path, link, 200]);
      if (hash) expect((await open(pathname))(`[id="${hash.slice(1)}"]`), `${path} → ${link}`).toHaveLength(1);
    }
  }
});

test("the pages for members say that they need JavaScript, and the login button is disabled", async () => {
  for (const path of ["/auth", inboxLink.href, accountLink.href])
    expect((await site.open(path))("#page-problem").text()).toContain(pageProblems.unsupported);
  expect((await site.open("/auth"))("main form button[type=submit]").is("[disabled]")).toBe(true);
});

test("the contact form's inputs have no maxlength, so that a browser cuts no email address", async () => {
  const $ = await site.open("/");
  expect($("form[action^='/contact'] input[name=email]").length).toBe(1);
  expect($("form[action^='/contact'] input[maxlength]").length).toBe(0);
});

test("the thank-you page for visitors without JavaScript confirms the sent contact", async () => {
  expect((await site.open(thanks.path))("main").text()).toContain(contactMessages.sent);
});

test("the HTML of the inbox has the loading message before any script runs", async () => {
  expect((await site.get(inbox.path)).body).toContain(inboxMessages.loading);
});

test("a static host that runs Jekyll, such as GitHub Pages, serves the scripts too", () => {
  expect(existsSync(join(testSiteSettings.BUILD_DIR, ".nojekyll"))).toBe(true);
});

test("humans.txt names the licences of the typefaces, which the site serves", async () => {
  const licences = [...(await site.get("/humans.txt")).body.matchAll(/https?:\/\/[^/]+(\/fonts\/.+)/g)];
  expect(licences.length).toBe(2);
  for (const [, path = ""] of licences)
    expect((await site.get(path)).body).toContain("SIL Open Font License".toUpperCase());
});

test("with PUBLIC_SUPABASE_URL, the CSP allows requests only to the site and the backend", async () => {
  vi.stubEnv("PUBLIC_SUPABASE_URL", "https://project.example/");
  vi.resetModules();
  const { default: config } = await import("../../astro.config.ts").finally(() => vi.unstubAllEnvs());
  expect(config.security?.csp).toMatchObject({
    directives: expect.arrayContaining(["default-src 'none'", "connect-src 'self' https://project.example"]),
  });
});
