import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { brand } from "#content/brand";
import { findPlaceholders, siteUrlPlaceholders } from "./find-placeholders.ts";

test("findPlaceholders returns the file, line and text of each placeholder", () => {
  const text = 'export const brand = {\n  name: "Fernway",\n  email: "hello@fernway.example",\n};\n';
  expect(findPlaceholders([["content/brand.ts", text]]).map(({ location, text }) => [location, text])).toEqual([
    ["content/brand.ts:2", 'name: "Fernway",'],
    ["content/brand.ts:3", 'email: "hello@fernway.example",'],
  ]);
});

test("findPlaceholders reports no comments and no texts that the owner has written", () => {
  const text = '/** `.example` is reserved. */\nname: "Heron & Daughters",\ntext: "For example, examples.",\n';
  expect(findPlaceholders([["content/brand.ts", text]])).toEqual([]);
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
  const { stdout } = await promisify(execFile)(process.execPath, ["server/cli/placeholders.ts"], {
    env: { ...process.env, SITE_URL: "http://localhost:3000" },
  });
  const locations = [...stdout.matchAll(/^ {2}(content\/\S+):(\d+) +(\S.*?)…?$/gm)];
  expect(stdout).toContain(`${locations.length + 1} to replace.`);
  for (const [, file = "", line, text = ""] of locations) {
    expect((await readFile(file, "utf8")).split("\n")[Number(line) - 1]).toContain(text);
  }
  // Expect only the texts of the brand that the owner has not replaced yet.
  const { name, email, postalAddress, app, copyright } = brand;
  const remaining = [name, email, postalAddress, app, copyright].filter(
    (text) => findPlaceholders([["", text]]).length,
  );
  for (const text of [...remaining, "SITE_URL"]) expect(stdout).toContain(text);
});
