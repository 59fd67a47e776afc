import { expect, test } from "vitest";
import { parseLogo } from "./own-logo";

const shape = '<path d="M0 0H9V9Z"/>';

test("a logo keeps its shapes and the attributes that draw, but no size", () => {
  const text = `<?xml version="1.0"?>\n<svg width="64" viewBox='0,0 9, 9' fill="none" stroke-width="2" opacity=".9" xmlns:x="urn:x">${shape}</svg>\n`;
  expect(parseLogo(text)).toEqual({
    viewBox: "0 0 9 9",
    attributes: ' fill="none" stroke-width="2" opacity=".9" xmlns:x="urn:x"',
    content: shape,
  });
});

test("an id of the logo cannot be one of the page", () => {
  const text =
    '<svg viewBox="0 0 9 9"><clipPath id="services"/><path id="a" clip-path="url(#services)"/><use href="#a"/></svg>';
  expect(parseLogo(text).content).toBe(
    '<clipPath id="logo-services"/><path id="logo-a" clip-path="url(#logo-services)"/><use href="#logo-a"/>',
  );
});

test.each([
  ["what is no drawing", "PNG", /^content\/logo\.svg: this is not an SVG drawing/],
  ["a drawing without a viewBox", `<svg width="9">${shape}</svg>`, /needs a viewBox/],
  ["style sheets", `<svg viewBox="0 0 9 9"><style>path{}</style>${shape}</svg>`, /presentation attributes/],
  ["style attributes", '<svg viewBox="0 0 9 9"><path style="fill:red" d=""/></svg>', /presentation attributes/],
  ["event handlers", `<svg viewBox="0 0 9 9" onload="go()">${shape}</svg>`, /it has a script/],
  ["script elements", `<svg viewBox="0 0 9 9"><script>go()</script>${shape}</svg>`, /it has a script/],
  ["HTML", '<svg viewBox="0 0 9 9"><foreignObject><p>A</p></foreignObject></svg>', /it has a script/],
  ["other files", "<svg viewBox='0 0 9 9'><use href='https://example.org/a.svg#b'/></svg>", /as shapes alone/],
  ["pictures in the drawing", '<svg viewBox="0 0 9 9"><image href="data:image/png;base64,"/></svg>', /as shapes alone/],
  ["paints from other files", '<svg viewBox="0 0 9 9"><path fill="url(//evil.test/x#a)"/></svg>', /as shapes alone/],
  [
    "entities",
    `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///x">]><svg viewBox="0 0 9 9">${shape}</svg>`,
    /it has entities/,
  ],
  ["letters", '<svg viewBox="0 0 9 9"><text>Heron</text></svg>', /it has <text>/],
  ["markup after the drawing", `<svg viewBox="0 0 9 9">${shape}</svg><svg>${shape}</svg>`, /more than one <svg>/],
  ["too many details", `<svg viewBox="0 0 9 9">${shape.repeat(1000)}</svg>`, /fewer details/],
])("in content/logo.svg, %s is refused in one sentence", (_, text, sentence) => {
  expect(() => parseLogo(text)).toThrow(sentence);
});
