import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { brand } from "#content/brand";
import { Imprint } from "./imprint";
import { fillIn, LegalText } from "./legal-text";

test("a legal text has the owner's words and its dates, but none of the owner's comments", () => {
  const html = '<p>{company} <a href="mailto:%7Bemail%7D">{effectiveDate}</a></p><!-- Checked:\nby our lawyer -->';
  const dates = { effectiveDate: "01.02.2026", lastUpdated: "02.02.2026" };
  const page = renderToStaticMarkup(createElement(LegalText, { title: "Terms", ...dates, html }));
  const company = brand.legalName.replaceAll("&", "&amp;");
  expect(page).toContain(`<p>${company} <a href="mailto:${brand.email}">01.02.2026</a></p></div>`);
});

test("what is about the app goes without one: words, rows and sections, and the numbers close up", () => {
  const html = `<h2>1. Who</h2><p>The website{if app} and {app}{else} only{end}.</p><h2>2. Nature</h2><p>{if app}{app} errs.{end}</p>
    <table><tr><td>Mail</td></tr><tr><td>{if app}{app}</td><td>Consent{end}</td></tr></table><h2>3. Law</h2><p>Ours.</p>`;
  expect(fillIn(html, { app: "Weir" })).toContain("<p>The website and Weir.</p><h2>2. Nature</h2><p>Weir errs.</p>");
  expect(fillIn(html, { app: "Weir" })).toContain("<td>Weir</td><td>Consent</td>");
  expect(fillIn(html.replace(/<table>.*<\/table>/s, ""), { app: "" })).toMatch(
    /^<h2>1. Who<\/h2><p>The website only.<\/p><h2>2. Law<\/h2>/,
  );
  expect(fillIn(html, { app: "" })).toContain("<tr><td>Mail</td></tr></table>");
});

test("what is about sources goes with the setting", () => {
  const html = "<p>Yours.{if sources} Counted.{end}</p>{if app}{app}{end}";
  expect(fillIn(html, { app: "", sources: "on" })).toBe("<p>Yours. Counted.</p>");
  expect(fillIn(html, { app: "Weir", sources: "" })).toBe("<p>Yours.</p>Weir");
});

test("an email address of the imprint is a link, and the words around it stay text", () => {
  const sections = [{ heading: "Contact", lines: ["Mail: ada@heron.test.", "+49 7531 000000"] }];
  const page = renderToStaticMarkup(createElement(Imprint, { title: "Imprint", sections }));
  expect(page).toContain('>Mail: <a href="mailto:ada@heron.test">ada@heron.test</a>.</p>');
  expect(page).toContain(">+49 7531 000000</p>");
});
