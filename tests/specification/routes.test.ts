// Compares the built pages with the tables of docs/specification.md.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { load } from "cheerio";
import { afterAll, beforeAll, expect, test } from "vitest";
import { brand } from "#content/brand";
import { imprint } from "#content/imprint";
import { legalTexts } from "#content/legal";
import { redirects } from "#content/navigation";
import { type BuiltSite, serveBuiltSite } from "../support/built-site.ts";
import { siteUrl, testSiteSettings } from "../support/site.ts";
import { anchors, isExample, legalPages, links, routes, textOf } from "./tables.ts";

let site: BuiltSite;
beforeAll(async () => {
  site = await serveBuiltSite();
});
afterAll(() => site.stop());

test.each(routes)("$Path has status 200 and its own URL as canonical link", async ({ Path: path }) => {
  expect((await site.get(path)).statusCode).toBe(200);
  expect((await site.open(path))("link[rel=canonical]").attr("href")).toBe(siteUrl + path);
});

test.each(Object.entries(redirects))(
  "%s leads to %s, also where only the built files are served",
  async (path, page) => {
    for (const spelling of [path, `${path}/`, `${path}.html`]) {
      const { statusCode, headers } = await site.get(`${spelling}?contact=1`);
      expect([spelling, statusCode, headers.location]).toEqual([spelling, 301, `${page}?contact=1`]);
    }
    const $ = load(await readFile(resolve(testSiteSettings.BUILD_DIR, `.${path}.html`)));
    expect($("meta[http-equiv=refresh]").attr("content")).toBe(`0;url=${page}`);
  },
);

test("an unknown path gets status 404 and a page that links to the home page", async () => {
  expect((await site.get("/no/such/path")).statusCode).toBe(404);
  const $ = await site.open("/no/such/path");
  expect($("main").text()).toContain(textOf("pageMessages.notFound"));
  expect($("main a[href='/']").length).toBeGreaterThan(0);
});

test("the landing page has the six anchors of the specification in the given order", async () => {
  const $ = await site.open("/");
  expect(anchors).toHaveLength(6);
  const ids = $("[id]")
    .get()
    .map(({ attribs }) => attribs.id ?? "");
  expect(ids.filter((id) => anchors.includes(id))).toEqual(anchors);
});

test("the header links to four sections, the contact form and the login", async () => {
  const $ = await site.open("/");
  const found = $("header nav a")
    .get()
    .map((link) => [$(link).text(), $(link).attr("href")]);
  const expected = links.filter(({ Where: where }) => where === "Header");
  expect(expected.length).toBeGreaterThanOrEqual(6);
  for (const { Label: label, Address: address } of expected) expect(found).toContainEqual([label, address]);
});

test("the footer has links to both legal texts and the copyright line", async () => {
  const $ = await site.open("/");
  for (const { Path: path } of legalPages) expect($(`footer a[href='${path}']`)).toHaveLength(1);
  expect($("footer").text()).toContain(brand.copyright);
});

test("the imprint has a page and a link in the footer exactly if it has text", async () => {
  const isFilled = imprint.sections.length > 0;
  expect((await site.get("/imprint")).statusCode).toBe(isFilled ? 200 : 404);
  expect((await site.open("/"))("footer a[href='/imprint']")).toHaveLength(isFilled ? 1 : 0);
});

test.runIf(isExample).each(legalPages)(
  "$Path has $Sections sections, dates, a minimum age and the app",
  async (page) => {
    const $ = await site.open(page.Path);
    const numbers = $("main h2")
      .get()
      .map((heading) => Number.parseInt($(heading).text(), 10));
    expect(numbers).toEqual(Array.from({ length: Number(page.Sections) }, (_, at) => at + 1));
    const dates = [`Effective date: ${page["Effective date"]}`, `Last updated: ${page["Last updated"]}`];
    const texts = [...dates, page["Minimum age"], page["Below that age"], brand.app];
    for (const part of texts) expect($("main").text()).toContain(part);
  },
);

test("the legal pages have the two dates of content/legal.ts", async () => {
  for (const [path, { effectiveDate, lastUpdated }] of [
    ["/privacy-policy", legalTexts.privacyPolicy],
    ["/terms-of-service", legalTexts.termsOfService],
  ] as const) {
    const text = (await site.open(path))("main").text();
    expect(text).toContain(`Effective date: ${effectiveDate}`);
    expect(text).toContain(`Last updated: ${lastUpdated}`);
  }
});
