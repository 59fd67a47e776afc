import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { CompanyLogo, Person, Quote, Screenshot } from "#content/people-and-customers";
import { projects } from "#content/projects";
import { sizeOfClaim, sizeOfFigure } from "./estimated-text-width";
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
  ["huge", ["Millions", "12 %", "14,000"]],
  ["large", ["1,250,000", "100 MW", "EUR 120"]],
  ["medium", ["1,000,000 kg", "Tens of thousands"]],
])("a figure is set %s if that is the largest size at which it stays on one line: %j", (size, figures) => {
  expect(figures.map(sizeOfFigure)).toEqual(figures.map(() => size));
});

test("a claim is set huge if each of its words fits into a phone's window", () => {
  expect(sizeOfClaim("Ask us to prove it.")).toBe("huge");
  expect(sizeOfClaim("Proof of our methodologies")).toBe("large");
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
