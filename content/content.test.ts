import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { interests } from "#rules/contact";
import { contactWords } from "./contact.ts";
import { legalWords } from "./legal.ts";
import { pages } from "./pages.ts";
import { projects } from "./projects.ts";
import { reasons } from "./reasons.ts";
import { services } from "./services.ts";

const legalText = (name: string) => readFileSync(new URL(`legal/${name}.md`, import.meta.url), "utf8");

describe.each([
  ["privacy-policy", 11],
  ["terms-of-service", 10],
])("the %s", (name, count) => {
  const text = legalText(name);

  test(`has ${count} sections, numbered in order`, () => {
    const numbers = [...text.matchAll(/^## (\d+)\. \S/gm)].map((heading) => Number(heading[1]));
    expect(numbers).toEqual(Array.from({ length: count }, (_, index) => index + 1));
    expect(text.match(/^#+ /gm)).toHaveLength(count);
  });

  test("carries the dates of the specification", () => {
    expect(text).toMatch(/Effective date:\*\* 01\.09\.2025/);
    expect(text).toMatch(/Last updated:\*\* 05\.09\.2025/);
  });

  test("speaks of the company, the app, the age of 13 and parental consent", () => {
    expect(text).toContain("{company}");
    expect(text).toContain("{app}");
    expect(text).toMatch(/13 (and|or) over/);
    expect(text).toMatch(/under 13[^.]*verified parental consent/);
  });

  test("uses only words in braces that have a meaning", () => {
    const used = new Set([...text.matchAll(/\{(\w*)\}/g)].map((word) => word[1]));
    for (const word of used) expect(Object.keys(legalWords)).toContain(word);
    expect(text).not.toMatch(/TODO|TBD|lorem|\[\w+ ?name\]/i);
  });
});

test("slugs and addresses are unique", () => {
  for (const keys of [services.map((s) => s.slug), projects.map((p) => p.slug), pages.map((p) => p.path)])
    expect(new Set(keys).size).toBe(keys.length);
});

test("there are four services, three projects and four reasons", () => {
  expect([services.length, projects.length, reasons.length]).toEqual([4, 3, 4]);
});

test("the choices of the form are the interests that rules and database know", () => {
  expect(contactWords.interests.map((choice) => choice.value)).toEqual([...interests]);
});

test("every page has a title and a description of its own", () => {
  expect(new Set(pages.map((page) => page.title)).size).toBe(pages.length);
  expect(new Set(pages.map((page) => page.description)).size).toBe(pages.length);
  for (const page of pages) expect(page.description.length).toBeLessThanOrEqual(160);
});
