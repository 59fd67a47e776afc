import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { CompanyLogo, Person, Quote, Screenshot } from "#content/people-and-customers";
import { projects } from "#content/projects";
import { Logos } from "./logos";
import { People } from "./people";
import { Quotes } from "./quotes";
import { Screenshots } from "./screenshots";
import { classOf } from "./why-work-with-us";

const pictures = { "mara.jpg": pictureOf("mara"), "kite.svg": pictureOf("kite"), "app.png": pictureOf("app") };
const person: Person = { name: "Mara Elin Lindqvist", role: "Strategy", line: "Answers the phone herself." };
const logo: CompanyLogo = { name: "Kite Physio", file: "kite.svg" };
const screenshot: Screenshot = {
  project: projects[0]?.slug ?? "",
  file: "app.png",
  alt: "Twelve cards",
  caption: "The board",
};
const quote: Quote = { text: "It held.", name: "Jun Abe", role: "Founder", company: "Harbour Books" };

test.each<[string, ReactElement, string[]]>([
  ["person", createElement(People, { entries: [person], pictures }), ["ML", ...Object.values(person)]],
  ["quote", createElement(Quotes, { entries: [quote] }), Object.values(quote)],
  [
    "person with a portrait",
    createElement(People, { entries: [{ ...person, portrait: "mara.jpg" }], pictures }),
    ['src="/_astro/mara.webp"', ...Object.values(person)],
  ],
  ["logo", createElement(Logos, { entries: [logo], pictures }), ['src="/_astro/kite.webp"', 'alt="Kite Physio"']],
  [
    "screenshot",
    createElement(Screenshots, { entries: [screenshot], pictures }),
    ['src="/_astro/app.webp"', 'alt="app"', "The board", String(projects[0]?.name).replace("&", "&amp;")],
  ],
])("a %s is shown with all that belongs to it", (_, place, words) => {
  const html = renderToStaticMarkup(place);
  for (const word of words) expect(html).toContain(word);
});

test.each([
  ["people", createElement(People, { entries: [], pictures })],
  ["quotes", createElement(Quotes, { entries: [] })],
  ["logos", createElement(Logos, { entries: [], pictures })],
  ["screenshots", createElement(Screenshots, { entries: [], pictures })],
])("without %s, nothing of their place is on the page", (_, place) => {
  expect(renderToStaticMarkup(place)).toBe("");
});

test.each([
  ["", ["12 %", "100 MW"]],
  ["large", ["1.250.000", "EUR 120"]],
  ["medium", ["1.000.000 kW", "Tens of thousands"]],
])("a figure is set smaller the longer it is, so that it stays on one line: %s %j", (size, figures) => {
  for (const figure of figures) expect(classOf(figure)).toContain(size);
});

test("a figure with a comma has room below its line, one without has none", () => {
  expect(classOf("14,000")).toMatch(/descends/);
  expect(classOf("Millions")).not.toMatch(/descends/);
});

test("a person with one name has one initial", () => {
  const page = renderToStaticMarkup(createElement(People, { entries: [{ ...person, name: "Mara" }], pictures }));
  expect(page).toContain(">M</span>");
});

test("wide screenshots come before tall ones, which share their rows", () => {
  const tall = { ...pictureOf("tall"), width: 300, height: 600 };
  const entries = [{ ...screenshot, file: "tall.png", caption: "On a phone" }, screenshot];
  const place = createElement(Screenshots, { entries, pictures: { ...pictures, "tall.png": tall } });
  expect(renderToStaticMarkup(place)).toMatch(/The board.*On a phone/);
});

function pictureOf(name: string) {
  return { alt: name, src: `/_astro/${name}.webp`, width: 800, height: 600 };
}
