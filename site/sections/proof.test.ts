import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import type { Person, Quote, Result } from "#content/proof";
import { People } from "./people";
import { Quotes } from "./quotes";
import { Results } from "./results";
import { sizeOf } from "./why-work-with-us";

const person: Person = { name: "Mara Elin Lindqvist", role: "Strategy", line: "Answers the phone herself." };
const result: Result = {
  of: "Larkspur Tea",
  problem: "Visitors left early.",
  method: "Shorter first steps.",
  figure: { value: "+38 %", label: "of trials become customers" },
  source: "Own statistics, spring 2025",
};
const quote: Quote = { text: "It held.", name: "Jun Abe", role: "Founder", company: "Harbour Books" };

test.each<[string, ReactElement, string[]]>([
  ["person", createElement(People, { entries: [person] }), ["ML", ...Object.values(person)]],
  [
    "result",
    createElement(Results, { entries: [result] }),
    [result.of, result.problem, result.method, result.figure.value, result.figure.label, result.source],
  ],
  ["quote", createElement(Quotes, { entries: [quote] }), Object.values(quote)],
])("a %s is shown with all its words", (_, place, words) => {
  const html = renderToStaticMarkup(place);
  for (const word of words) expect(html).toContain(word);
});

test.each([
  ["people", createElement(People, { entries: [] })],
  ["results", createElement(Results, { entries: [] })],
  ["quotes", createElement(Quotes, { entries: [] })],
])("without %s, nothing of their place is on the page", (_, place) => {
  expect(renderToStaticMarkup(place)).toBe("");
});

test("a longer figure is set smaller, so that it stays on one line", () => {
  expect(["Millions", "12 %", "1,250,000", "Tens of thousands"].map(sizeOf)).toEqual([
    "huge",
    "huge",
    "large",
    "medium",
  ]);
});
