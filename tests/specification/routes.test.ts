// Holds the site to its specification, word for word. An owner who makes words, numbers or dates their own retires this
// folder: no other test spells out what the site says.
import { afterAll, beforeAll, expect, test } from "vitest";
import { brand } from "#content/brand";
import { type BuiltSite, serveBuiltSite, siteUrl } from "../support/built-site.ts";

let site: BuiltSite;
beforeAll(async () => {
  site = await serveBuiltSite();
});
afterAll(() => site.stop());

test.each(["/", "/auth", "/admin/contacts", "/privacy-policy", "/terms-of-service"])("%s is a page", async (path) => {
  expect((await site.get(path)).statusCode).toBe(200);
});

test("any other path is the 404 page, with a link back home", async () => {
  expect((await site.get("/no/such/path")).statusCode).toBe(404);
  const $ = await site.open("/no/such/path");
  expect($("main").text()).toContain("Oops! Page not found");
  expect($("main a[href='/']").length).toBeGreaterThan(0);
});

test("the landing page has the six anchors, in the order of the page", async () => {
  const $ = await site.open("/");
  const anchors = ["hero", "about", "services", "case-studies", "current-projects", "contact"];
  const ids = $("[id]")
    .get()
    .map(({ attribs }) => attribs.id ?? "");
  expect(ids.filter((id) => anchors.includes(id))).toEqual(anchors);
});

test("the header leads to the four parts, to the contact form and to the login", async () => {
  const $ = await site.open("/");
  const links = $("header nav a")
    .get()
    .map((link) => [$(link).text(), $(link).attr("href")]);
  for (const link of [
    ["About", "/#about"],
    ["Services", "/#services"],
    ["Case Studies", "/#case-studies"],
    ["Contact", "/#contact"],
    ["Work With Us", "/#contact"],
    ["Login", "/auth"],
  ])
    expect(links).toContainEqual(link);
});

test("the footer leads to both legal texts and carries the year 2025", async () => {
  const $ = await site.open("/");
  expect($("footer a[href='/privacy-policy'], footer a[href='/terms-of-service']")).toHaveLength(2);
  expect($("footer").text()).toContain("© 2025");
});

test.each([
  ["/privacy-policy", 11],
  ["/terms-of-service", 10],
])("%s shows %i numbered sections, its dates, the age of 13 and the app", async (path, sections) => {
  const $ = await site.open(path);
  const numbers = $("main h2")
    .get()
    .map((heading) => Number.parseInt($(heading).text(), 10));
  expect(numbers).toEqual(Array.from({ length: sections }, (_, at) => at + 1));
  for (const part of ["01.09.2025", "05.09.2025", "13", "verified parental consent", brand.app])
    expect($("main").text()).toContain(part);
});

test.each(["/auth", "/admin/contacts"])("%s has its canonical link", async (path) => {
  expect((await site.open(path))("link[rel=canonical]").attr("href")).toBe(siteUrl + path);
});
