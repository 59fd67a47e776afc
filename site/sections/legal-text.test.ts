import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { brand } from "#content/brand";
import { Imprint } from "./imprint";
import { LegalText } from "./legal-text";

test("a legal text has the owner's words and its dates, but none of the owner's comments", () => {
  const html = '<p>{company} <a href="mailto:%7Bemail%7D">{effectiveDate}</a></p><!-- Checked:\nby our lawyer -->';
  const dates = { effectiveDate: "01.02.2026", lastUpdated: "02.02.2026" };
  const page = renderToStaticMarkup(createElement(LegalText, { title: "Terms", ...dates, html }));
  const company = brand.legalName.replaceAll("&", "&amp;");
  expect(page).toContain(`<p>${company} <a href="mailto:${brand.email}">01.02.2026</a></p></div>`);
});

test("an email address of the imprint is a link, and the words around it stay text", () => {
  const sections = [{ heading: "Contact", lines: ["Mail: ada@heron.test.", "+49 7531 000000"] }];
  const page = renderToStaticMarkup(createElement(Imprint, { title: "Imprint", sections }));
  expect(page).toContain('>Mail: <a href="mailto:ada@heron.test">ada@heron.test</a>.</p>');
  expect(page).toContain(">+49 7531 000000</p>");
});
