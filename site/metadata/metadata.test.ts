import { expect, test } from "vitest";
import { brand } from "#content/brand";
import { auth, landing, pages, privacyPolicy } from "#content/pages";
import { projects } from "#content/projects";
import { services } from "#content/services";
import { humans, securityContact } from "./contact-files";
import { robots, sitemap } from "./sitemap";
import { asScriptText, structuredData } from "./structured-data";

const site = new URL("https://heron.test");

interface Thing {
  "@type": string;
  "@id": string;
  url?: string;
  name: string;
  offers?: unknown;
  aggregateRating?: unknown;
}

const thingsOn = (page: typeof landing) => structuredData(page, site)["@graph"] as Thing[];

test("the landing page describes the company, the site, its services and its projects", () => {
  const things = thingsOn(landing);
  const named = (type: string) => things.filter((thing) => thing["@type"] === type).map(({ name }) => name);
  expect(named("Organization")).toEqual([brand.name]);
  expect(named("WebSite")).toEqual([brand.name]);
  expect(named("Service")).toEqual(services.map(({ name }) => name));
  expect(named("SoftwareApplication")).toEqual(projects.map(({ name }) => name));
  for (const thing of things) expect(thing).not.toMatchObject({ offers: expect.anything() });
  for (const thing of things) expect(thing).not.toMatchObject({ aggregateRating: expect.anything() });
});

test("a project has the address that the content gives it, and none if it has none", () => {
  const applications = thingsOn(landing).filter((thing) => thing["@type"] === "SoftwareApplication");
  expect(applications.map(({ url }) => url)).toEqual(projects.map(({ link }) => link?.href));
});

test("every other page describes itself under its own address, by the same ids", () => {
  const things = thingsOn(privacyPolicy);
  expect(things.map((thing) => thing["@id"])).toEqual([
    "https://heron.test/#organization",
    "https://heron.test/#website",
    "https://heron.test/privacy-policy#webpage",
  ]);
});

test("every id is said once, and every one that is spoken of is there", () => {
  const text = JSON.stringify(thingsOn(landing));
  const ids = thingsOn(landing).map((thing) => thing["@id"]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, id = ""] of text.matchAll(/\{"@id":"([^"]+)"\}/g)) expect(ids).toContain(id);
});

test("no words can end the script they stand in", () => {
  const words = "</script><script>alert(1)</script><!--";
  expect(asScriptText({ words })).not.toContain("<");
  expect(JSON.parse(asScriptText({ words }))).toEqual({ words });
});

test("the sitemap lists the listed pages and nothing else", () => {
  const addresses = [...sitemap(site).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  const listed = pages.filter(({ unlisted }) => !unlisted);
  expect(addresses).toEqual(listed.map(({ path }) => `https://heron.test${path}`));
  expect(addresses).not.toContain(`https://heron.test${auth.path}`);
});

test("robots may read everything and are told of the sitemap", () => {
  expect(robots(site)).toMatch(/^User-agent: \*\nAllow: \/\n\nSitemap: https:\/\/heron\.test\/sitemap\.xml\n$/);
});

test("the security contact expires within a year of the build", () => {
  const text = securityContact(site, new Date("2026-03-01T10:00:00Z"));
  expect(text).toContain(`Contact: mailto:${brand.email}\n`);
  expect(text).toContain("Canonical: https://heron.test/.well-known/security.txt\n");
  expect(text).toContain("Expires: 2027-02-14T00:00:00Z\n");
  expect(humans(site)).toContain("https://heron.test/");
});

test("titles and descriptions of listed pages have a length that search results can show", () => {
  for (const { title, description, unlisted } of pages) {
    expect(title.length, title).toBeLessThanOrEqual(60);
    if (!unlisted) expect(description.length, description).toBeGreaterThanOrEqual(70);
  }
});
