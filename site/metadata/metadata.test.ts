import { expect, test } from "vitest";
import { brand } from "#content/brand";
import { auth, landing, pages, privacyPolicy } from "#content/page-titles";
import { projects } from "#content/projects";
import { services } from "#content/services";
import { humans, securityContact } from "./contact-files";
import { measureBox } from "./icons";
import { robots, sitemap } from "./sitemap";
import { asScriptText, structuredData } from "./structured-data";

const site = new URL("https://heron.test");

interface Entity {
  "@type": string;
  "@id": string;
  url?: string;
  name: string;
  offers?: unknown;
  aggregateRating?: unknown;
}

const entitiesOf = (page: typeof landing) => structuredData(page, site)["@graph"] as Entity[];

test("the landing page's structured data has company, site, services and projects", () => {
  const entities = entitiesOf(landing);
  const named = (type: string) => entities.filter((entity) => entity["@type"] === type).map(({ name }) => name);
  expect(named("Organization")).toEqual([brand.name]);
  expect(named("WebSite")).toEqual([brand.name]);
  expect(named("Service")).toEqual(services.map(({ name }) => name));
  const namesOf = (some: typeof projects) => some.map(({ name }) => name);
  expect(named("SoftwareApplication")).toEqual(namesOf(projects.filter(({ category }) => category)));
  expect(named("CreativeWork")).toEqual(namesOf(projects.filter(({ category }) => !category)));
  for (const entity of entities) expect(entity).not.toMatchObject({ offers: expect.anything() });
  for (const entity of entities) expect(entity).not.toMatchObject({ aggregateRating: expect.anything() });
});

test("a project's structured data has a url exactly if the project has a link", () => {
  const described = entitiesOf(landing).filter((entity) => entity["@id"].includes("/#project-"));
  expect(described.map(({ url }) => url)).toEqual(projects.map(({ link }) => link?.href));
});

test("a legal page's structured data has the company, the site and the page itself", () => {
  const entities = entitiesOf(privacyPolicy);
  expect(entities.map((entity) => entity["@id"])).toEqual([
    "https://heron.test/#organization",
    "https://heron.test/#website",
    "https://heron.test/privacy-policy#webpage",
  ]);
});

test("structured data defines every @id once and refers only to defined @id values", () => {
  const text = JSON.stringify(entitiesOf(landing));
  const ids = entitiesOf(landing).map((entity) => entity["@id"]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, id = ""] of text.matchAll(/\{"@id":"([^"]+)"\}/g)) expect(ids).toContain(id);
});

test("a text that contains </script> cannot end the structured data's script element", () => {
  const text = "</script><script>alert(1)</script><!--";
  expect(asScriptText({ text })).not.toContain("<");
  expect(JSON.parse(asScriptText({ text }))).toEqual({ text });
});

test("the sitemap has exactly the pages that are not marked as unlisted", () => {
  const addresses = [...sitemap(site).matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
  const listed = pages.filter(({ unlisted }) => !unlisted);
  expect(addresses).toEqual(listed.map(({ path }) => `https://heron.test${path}`));
  expect(addresses).not.toContain(`https://heron.test${auth.path}`);
});

test("robots.txt allows every path and names the sitemap", () => {
  expect(robots(site)).toMatch(/^User-agent: \*\nAllow: \/\n\nSitemap: https:\/\/heron\.test\/sitemap\.xml\n$/);
});

test("security.txt names the contact and expires within a year of the build", () => {
  const text = securityContact(site, new Date("2026-03-01T10:00:00Z"));
  expect(text).toContain(`Contact: mailto:${brand.email}\n`);
  expect(text).toContain("Canonical: https://heron.test/.well-known/security.txt\n");
  expect(text).toContain("Expires: 2027-02-14T00:00:00Z\n");
  expect(humans(site)).toContain("https://heron.test/");
});

test("page titles have at most 60 characters; descriptions of listed pages have at least 70", () => {
  for (const { title, description, unlisted } of pages) {
    expect(title.length, title).toBeLessThanOrEqual(60);
    if (!unlisted) expect(description.length, description).toBeGreaterThanOrEqual(70);
  }
});

test("icons find the drawn part of a logo, also of a wide one", async () => {
  const box = await measureBox('<svg viewBox="0 0 120 80"><rect x="4" y="10" width="112" height="60"/></svg>');
  for (const [index, wanted] of [4, 10, 112, 60].entries())
    expect(Math.abs(Number(box.split(" ")[index]) - wanted)).toBeLessThan(0.5);
});
