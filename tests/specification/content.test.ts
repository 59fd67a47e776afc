// Compares the exports of content/ and validation/ with the tables of docs/specification.md.
import { readFileSync } from "node:fs";
import { createClient } from "@supabase/supabase-js";
import { describe, expect, test } from "vitest";
import * as auth from "#content/auth";
import * as brand from "#content/brand";
import * as contact from "#content/contact";
import * as hostedMessages from "#content/hosted-messages";
import * as inbox from "#content/inbox";
import * as landing from "#content/landing";
import * as messages from "#content/messages";
import * as navigation from "#content/navigation";
import * as pages from "#content/pages";
import * as projects from "#content/projects";
import * as reasons from "#content/reasons";
import * as secondFactor from "#content/second-factor";
import * as services from "#content/services";
import * as contactRules from "#validation/contact";
import { fixedTexts, isExample, legalPages, libraryTextOf, links, parseName, readTable, routes } from "./tables.ts";

/** The exports of each module, under the file name that the specification's tables use. */
const modules: Readonly<Record<string, object>> = {
  "content/auth.ts": auth,
  "content/brand.ts": brand,
  "content/contact.ts": contact,
  "content/hosted-messages.ts": hostedMessages,
  "content/inbox.ts": inbox,
  "content/landing.ts": landing,
  "content/messages.ts": messages,
  "content/navigation.ts": navigation,
  "content/pages.ts": pages,
  "content/projects.ts": projects,
  "content/reasons.ts": reasons,
  "content/second-factor.ts": secondFactor,
  "content/services.ts": services,
  "validation/contact.ts": contactRules,
};

/** The files whose texts and numbers an owner replaces. */
const exampleFiles = /^content\/(brand|landing|projects|reasons|services)\.ts$/;
const isCompared = ({ file }: { file: string }) => isExample || !exampleFiles.test(file);

test("the code exports every fixed text of the specification under the given name", () => {
  const compared = fixedTexts.filter(isCompared);
  const exported = compared.map(({ name, file }) => ({ name, file, text: joined(find({ name, file })) }));
  expect(exported).toEqual(compared);
});

test("the specification lists every message of content/messages.ts and no fixed text twice", () => {
  expect(fixedTexts.length).toBeGreaterThanOrEqual(35);
  const names = fixedTexts.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const keys = Object.entries(messages).flatMap(([group, texts]) => Object.keys(texts).map((key) => `${group}.${key}`));
  const listed = fixedTexts.filter(({ file }) => file === "content/messages.ts").map(({ name }) => name);
  expect(listed.toSorted()).toEqual(keys.toSorted());
});

test("the code exports every link of the specification with the given label and URL", () => {
  expect(links.length).toBeGreaterThanOrEqual(14);
  const exported = links.map((row) => {
    const { label, href } = find(parseName(row.Name)) as navigation.NavigationLink;
    return { ...row, Label: label, Address: href };
  });
  expect(exported).toEqual(links);
});

test("the code exports every limit of the specification with the given name and value", () => {
  const all = readTable("Limits", ["Value", "Name"]);
  expect(all.length).toBeGreaterThanOrEqual(8);
  const limits = all.filter(({ Name: cell }) => isCompared(parseName(cell)));
  expect(limits.map((row) => ({ ...row, Value: String(find(parseName(row.Name))) }))).toEqual(limits);
});

test("the code exports every route with the path and the sitemap flag of the specification", () => {
  expect(routes.length).toBeGreaterThanOrEqual(6);
  const exported = routes.map((row) => {
    const { path, unlisted } = find(parseName(row.Name)) as pages.PageWords;
    return { ...row, Path: path, "In the sitemap": unlisted ? "no" : "yes" };
  });
  expect(exported).toEqual(routes);
});

test("the contact form and the validation rules have the interests of the specification", () => {
  const rows = readTable("Interests", ["Value", "Label"]);
  expect(contact.contactWords.interests.map(({ value, label }) => ({ Value: value, Label: label }))).toEqual(rows);
  expect(contactRules.interests).toEqual(rows.map((row) => row.Value));
});

test("there are three to six services, and at least one project", () => {
  expect(services.services.length).toBeGreaterThanOrEqual(3);
  expect(services.services.length).toBeLessThanOrEqual(6);
  expect(projects.projects.length).toBeGreaterThanOrEqual(1);
});

test.runIf(isExample)("services and projects have the order of the specification", () => {
  const names = readTable("Services", ["Service"]).map((row) => row.Service);
  expect(services.services.map(({ name }) => name)).toEqual(names);
  const slugs = readTable("Current projects", ["Project"]).map((row) => row.Project);
  expect(projects.projects.map(({ slug }) => slug)).toEqual(slugs);
  expect(projects.projects[0]).toMatchObject({
    status: expect.any(String),
    link: { href: expect.any(String), text: expect.any(String) },
  });
});

test("the Supabase client reports an empty setting with the text of the specification", () => {
  expect(() => createClient("", "key")).toThrow(libraryTextOf("The address of the backend is empty"));
  expect(() => createClient("http://localhost", "")).toThrow(libraryTextOf("The public key is empty"));
});

test("the specification lists two legal pages", () => {
  expect(legalPages).toHaveLength(2);
});

describe.runIf(isExample).each(legalPages)("the text at $Path", (page) => {
  const text = readFileSync(new URL(`../../${page.Text}`, import.meta.url), "utf8");

  test(`has ${page.Sections} sections`, () => {
    expect(text.match(/^## \d+\. \S/gm)).toHaveLength(Number(page.Sections));
  });

  test("names the company, the app, the minimum age and parental consent", () => {
    const age = page["Minimum age"];
    expect(text).toContain("{company}");
    expect(text).toContain("{app}");
    expect(text).toMatch(new RegExp(`${age} (and|or) over`));
    expect(text).toMatch(new RegExp(`under ${age}[^.]*${page["Below that age"]}`));
  });
});

/** The export that a row of the specification names; undefined if it does not exist. */
function find({ name, file }: { name: string; file: string }): unknown {
  return name
    .split(".")
    .reduce<unknown>((value, key) => (value as Readonly<Record<string, unknown>> | undefined)?.[key], modules[file]);
}

function joined(text: unknown): unknown {
  return Array.isArray(text) ? text.join(" ") : text;
}
