// Compares the built site with the tables of docs/specification.md, the one home of routes, links, anchors and dates.
import { afterAll, beforeAll, expect, test } from "vitest";
import { brand } from "#content/brand";
import { type BuiltSite, serveBuiltSite, siteUrl } from "../support/built-site.ts";
import { anchors, legalPages, links, routes, textOf } from "./tables.ts";

let site: BuiltSite;
beforeAll(async () => {
  site = await serveBuiltSite();
});
afterAll(() => site.stop());

test.each(routes)("$Path is a page with its canonical link", async ({ Path: path }) => {
  expect((await site.get(path)).statusCode).toBe(200);
  expect((await site.open(path))("link[rel=canonical]").attr("href")).toBe(siteUrl + path);
});

test("any other path is the 404 page, with a link back home", async () => {
  expect((await site.get("/no/such/path")).statusCode).toBe(404);
  const $ = await site.open("/no/such/path");
  expect($("main").text()).toContain(textOf("pageMessages.notFound"));
  expect($("main a[href='/']").length).toBeGreaterThan(0);
});

test("the landing page has its anchors, in the order of the page", async () => {
  const $ = await site.open("/");
  expect(anchors).toHaveLength(6);
  const ids = $("[id]")
    .get()
    .map(({ attribs }) => attribs.id ?? "");
  expect(ids.filter((id) => anchors.includes(id))).toEqual(anchors);
});

test("the header leads to the four parts, to the contact form and to the login", async () => {
  const $ = await site.open("/");
  const found = $("header nav a")
    .get()
    .map((link) => [$(link).text(), $(link).attr("href")]);
  const expected = links.filter(({ Where: where }) => where === "Header");
  expect(expected.length).toBeGreaterThanOrEqual(6);
  for (const { Label: label, Address: address } of expected) expect(found).toContainEqual([label, address]);
});

test("the footer leads to both legal texts and carries the copyright line", async () => {
  const $ = await site.open("/");
  for (const { Path: path } of legalPages) expect($(`footer a[href='${path}']`)).toHaveLength(1);
  expect($("footer").text()).toContain(textOf("brand.copyright"));
});

test.each(legalPages)(
  "$Path shows $Sections numbered sections, its dates, the minimum age and the app",
  async (page) => {
    const $ = await site.open(page.Path);
    const numbers = $("main h2")
      .get()
      .map((heading) => Number.parseInt($(heading).text(), 10));
    expect(numbers).toEqual(Array.from({ length: Number(page.Sections) }, (_, at) => at + 1));
    const said = [page["Effective date"], page["Last updated"], page["Minimum age"], page["Below that age"], brand.app];
    for (const part of said) expect($("main").text()).toContain(part);
  },
);
