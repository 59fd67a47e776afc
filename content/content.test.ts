import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { interests, lengthMax } from "#validation/contact";
import { prepareMail } from "#validation/prepared-mail";
import { contactWords } from "./contact.ts";
import { legalTexts, legalWords } from "./legal.ts";
import { pages } from "./page-titles.ts";
import { projects } from "./projects.ts";
import { replies } from "./replies.ts";
import { services } from "./services.ts";

const legalText = (name: string) => readFileSync(new URL(`legal/${name}.md`, import.meta.url), "utf8");

describe.each(["privacy-policy", "terms-of-service"])("the %s", (name) => {
  const text = legalText(name);

  test("the sections of the text are numbered in order", () => {
    const numbers = [...text.matchAll(/^## (\d+)\. \S/gm)].map((heading) => Number(heading[1]));
    expect(numbers.length).toBeGreaterThan(0);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
    expect(text.match(/^#+ /gm)).toHaveLength(numbers.length);
  });

  test("the text has only placeholders with a defined value, and no dummy text", () => {
    const used = new Set([...text.matchAll(/\{(\w*)\}/g)].map((match) => match[1]));
    const defined = Object.keys({ ...legalWords, ...legalTexts.privacyPolicy, else: "", end: "" });
    for (const name of used) expect(defined).toContain(name);
    expect(text).not.toMatch(/to-?do|tbd|lorem|\[\w+ ?name\]/i);
  });
});

test("service slugs, project slugs and page paths are unique", () => {
  for (const keys of [services.map((s) => s.slug), projects.map((p) => p.slug), pages.map((p) => p.path)])
    expect(new Set(keys).size).toBe(keys.length);
});

test("the contact form offers exactly the interests that the validation accepts", () => {
  expect(contactWords.interests.map((choice) => choice.value)).toEqual([...interests]);
});

test("page titles and descriptions are unique, and descriptions have at most 160 characters", () => {
  expect(new Set(pages.map((page) => page.title)).size).toBe(pages.length);
  expect(new Set(pages.map((page) => page.description)).size).toBe(pages.length);
  for (const page of pages) expect(page.description.length).toBeLessThanOrEqual(160);
});

test.each(Object.entries(replies))("the reply %s opens in every mail program, and fills in its words", (_, reply) => {
  const longest = (length: number) => "x".repeat(length);
  const fields = {
    name: longest(lengthMax.name),
    company: longest(lengthMax.company),
    email: longest(lengthMax.email),
    interest: "Co-development",
  };
  const { subject, text } = reply;
  expect(subject).toMatch(/^\S.{0,76}\S$/);
  const mail = prepareMail(fields, {
    to: `${longest(lengthMax.email - 2)}@x`,
    subject: () => subject,
    lines: (words) => text(words).split("\n"),
  });
  // Chromium on Windows opens no link of more than 2,048 characters.
  expect(mail.href.length).toBeLessThanOrEqual(2000);
  expect(mail.text).toContain(fields.name);
  expect(mail.text).not.toMatch(/[{}$]|undefined|lorem|to-?do/i);
});
