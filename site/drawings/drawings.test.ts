import { brotliCompressSync } from "node:zlib";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { type SceneName, scenes } from "#content/projects";
import { type Service, type ServiceDrawingName, services } from "#content/services";
import { Frond } from "./frond";
import { GrowingFern } from "./growing-fern";
import { Logo } from "./logo";
import { ProjectScene } from "./project-scene";
import { ServiceDrawing } from "./service-drawing";
import { BrokenStem, ClosedGate, EmptyLetterbox, LostPath, SentLeaf } from "./small-drawings";

const title = "What it shows";
const serviceDrawings: ServiceDrawingName[] = ["chart", "film", "runner", "twins", "seeds", "frond"];
const drawService = (drawing?: string) =>
  createElement(ServiceDrawing, { service: { slug: "my service", drawing } as Service });
const meaningful: [string, ReactElement][] = [
  ...Object.entries({ "the fern of the hero": createElement(GrowingFern, { title, steps: 5 }) }),
];
/** Scenes may have several drawings and HTML, so each names its parts itself. */
const ofProjects = (Object.keys(scenes) as SceneName[]).map((of): [string, ReactElement] => [
  of,
  createElement(ProjectScene, { key: of, of }),
]);
const decorative: [string, ReactElement][] = [
  ...serviceDrawings.map((name): [string, ReactElement] => [name, drawService(name)]),
  ...Object.entries({
    "a frond": createElement(Frond, { id: "frond", pairs: 16, heading: -90, bend: -5 }),
    "the logo": createElement(Logo),
    "the broken stem": createElement(BrokenStem),
    "the closed gate": createElement(ClosedGate),
    "the empty letterbox": createElement(EmptyLetterbox),
    "the lost path": createElement(LostPath),
    "the sent leaf": createElement(SentLeaf),
  }),
];

describe.each([...meaningful, ...ofProjects, ...decorative])("the drawing of %s", (_, drawing) => {
  const html = renderToStaticMarkup(drawing);

  test("the drawing is at most 6 KB in size after compression", () => {
    expect(brotliCompressSync(html).length).toBeLessThanOrEqual(6 * 1024);
  });

  test("the drawing has a viewBox attribute, but no style attribute, which the CSP would block", () => {
    expect(html).toMatch(/<svg[^>]* viewBox="/);
    expect(html).not.toMatch(/<svg(?![^>]* viewBox=")/);
    expect(html).not.toContain("style=");
  });
});

test.each(ofProjects)(
  "in the drawing of %s, each picture has a name or is hidden from screen readers",
  (_, drawing) => {
    const html = renderToStaticMarkup(drawing);
    for (const [svg] of html.matchAll(/<svg[^>]*>/g)) expect(svg).toMatch(/ (aria-label="[^"]+"|aria-hidden="true")/);
    expect(html).toMatch(/ aria-label="|<legend>/);
  },
);

test.each(meaningful)("the drawing of %s has an accessible name", (_, drawing) => {
  expect(renderToStaticMarkup(drawing)).toMatch(new RegExp(`^<(div|svg)[^>]* role="img" aria-label="${title}"`));
});

test.each(decorative)("the drawing of %s is hidden from screen readers", (_, drawing) => {
  expect(renderToStaticMarkup(drawing)).toMatch(/^<svg[^>]* aria-hidden="true"/);
});

test("a service without a drawing gets the frond, and no two services of the landing page get the same", () => {
  const draw = (drawing?: string) => renderToStaticMarkup(drawService(drawing));
  expect(draw()).toBe(draw("frond"));
  expect(new Set(services.map(({ drawing }) => draw(drawing))).size).toBe(services.length);
});

test("a drawing that does not exist is an error that names the file and the service", () => {
  for (const name of ["ferm", "constructor"])
    expect(() => renderToStaticMarkup(drawService(name))).toThrow(
      `content/services.ts: the service “my service” has the drawing “${name}”, which does not exist.`,
    );
});
