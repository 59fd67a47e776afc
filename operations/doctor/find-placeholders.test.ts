import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { brand } from "#content/brand";
import { findInContent, findPlaceholders, type SourceText, siteUrlPlaceholders } from "./find-placeholders.ts";
import { placeholderKinds } from "./placeholder-patterns.ts";

const found = (kind: keyof typeof placeholderKinds, ...content: SourceText[]) =>
  findPlaceholders(placeholderKinds[kind], content);

test("findPlaceholders returns the file, line and text of each placeholder", () => {
  const text = 'export const brand = {\n  name: "Fernway",\n  email: "hello@fernway.example",\n};\n';
  expect(found("toReplace", ["content/brand.ts", text]).map(({ location, text }) => [location, text])).toEqual([
    ["content/brand.ts:2", 'name: "Fernway",'],
    ["content/brand.ts:3", 'email: "hello@fernway.example",'],
  ]);
});

test("findPlaceholders reports no comments and no texts that the owner has written", () => {
  const text = '/** `.example` is reserved. */\nname: "Heron & Daughters",\ntext: "For example, examples.",\n';
  expect(found("toReplace", ["content/brand.ts", text])).toEqual([]);
});

test("findPlaceholders returns numbers, praise and the claims that ship, unless a comment above names the proof", () => {
  const text = [
    'claim: "Trusted by 40 brands",',
    "// Proof: the contracts in the archive",
    'claim: "Trusted by 40 brands",',
    'lead: "We grew a shop by 300% in a year.",',
    'lead: "We talk to people.",',
    'lead: "proof: none. The leading studio.",',
    'lead: "Certified.",',
  ].join("\n");
  expect(found("toProve", ["content/landing.ts", text]).map(({ location }) => location)).toEqual([
    "content/landing.ts:1",
    "content/landing.ts:4",
    "content/landing.ts:6",
    "content/landing.ts:7",
  ]);
  expect(found("toProve", ["content/proof.ts", text])).toHaveLength(4);
  expect(found("toProve", ["content/auth.ts", text])).toEqual([]);
  const study = "results:\n  # Proof: the shop's orders\n  - value: 31%\n    label: of all orders\n  - value: +12%";
  expect(found("toProve", ["content/case-studies/shop.md", study]).map(({ location }) => location)).toEqual([
    "content/case-studies/shop.md:5",
  ]);
});

test("each file of content/ whose claims must be proved exists", () => {
  const [, names = ""] = /\(([\w|-]+)\)/.exec(placeholderKinds.toProve.files.source) ?? [];
  const files = names.split("|").map((name) => `content/${name}.ts`);
  expect(files.length).toBeGreaterThan(5);
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
});

test("findPlaceholders returns dates and clauses as they ship, unless a comment above says that they are checked", () => {
  const policy = "People aged 13 and over.\n<!-- Checked: by our lawyer -->\nPeople aged 13 and over.\nWe like 13.";
  const dates = 'privacyPolicy: { effectiveDate: "01.09.2025" },\ntermsOfService: { effectiveDate: "02.02.2026" },';
  const clauses = found(
    "clauses",
    ["content/legal/privacy-policy.md", policy],
    ["content/legal.ts", dates],
    ["content/landing.ts", policy],
  );
  expect(clauses.map(({ location }) => location)).toEqual(["content/legal/privacy-policy.md:1", "content/legal.ts:1"]);
});

test.each([
  ["http://localhost:3000", 1],
  ["http://127.0.0.1:8080", 1],
  ["https://fernway.example", 1],
  ["https://heron.com", 0],
  ["https://example.org", 0],
])("for the SITE_URL %s, siteUrlPlaceholders returns %i entries", (siteUrl, count) => {
  expect(siteUrlPlaceholders(siteUrl)).toHaveLength(count);
});

test("`npm run placeholders` lists the placeholders of content/ and exits with 0", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["operations/commands/placeholders.ts"], {
    env: { ...process.env, SITE_URL: "http://localhost:3000" },
  });
  const locations = [...stdout.matchAll(/^ {2}(content\/\S+):(\d+) +…?(\S.*?)…?$/gm)];
  const { toProve, creed, clauses: legal } = await findInContent();
  const claims = toProve.length;
  const clauses = creed.length + legal.length;
  expect(stdout).toContain(
    `${locations.length + 1 - claims - clauses} to replace, ${claims} to prove, ${clauses} to check.`,
  );
  for (const [, file = "", line, text = ""] of locations) {
    expect((await readFile(file, "utf8")).split("\n")[Number(line) - 1]).toContain(text);
  }
  // Expect only the texts of the brand that the owner has not replaced yet.
  const { name, email, postalAddress, app } = brand;
  const remaining = [name, email, postalAddress, app].filter((text) => found("toReplace", ["any file", text]).length);
  for (const text of [...remaining, "SITE_URL"]) expect(stdout).toContain(text);
});
