import { brotliCompressSync } from "node:zlib";
import { load } from "cheerio";
import { createElement, type ReactElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { type SceneName, scenes } from "#content/projects";
import { type Service, type ServiceDrawingName, services } from "#content/services";
import { Frond } from "./frond";
import { GrowingFern } from "./growing-fern";
import { GrowthChart, leafletsOfCharts } from "./growth-chart";
import { fernStyles } from "./hero-fern";
import { Logo } from "./logo";
import { ProjectScene } from "./project-scene";
import { ServiceDrawing } from "./service-drawing";
import { BrokenStem, ClosedGate, EmptyLetterbox, LostPath, SentLeaf } from "./small-drawings";

const serviceDrawings: ServiceDrawingName[] = ["chart", "film", "runner", "twins", "seeds", "frond"];
const drawService = (drawing?: string) =>
  createElement(ServiceDrawing, { service: { slug: "my service", drawing } as Service });
const scenesOfProjects = (Object.keys(scenes) as SceneName[]).map((of): [string, ReactElement] => [
  of,
  createElement(ProjectScene, { key: of, of }),
]);
const decorative: [string, ReactElement][] = [
  ...serviceDrawings.map((name): [string, ReactElement] => [name, drawService(name)]),
  ["frond", createElement(Frond, { id: "frond", pairs: 16, heading: -90, bend: -5 })],
  ...[Logo, BrokenStem, ClosedGate, EmptyLetterbox, LostPath, SentLeaf].map((Drawing): [string, ReactElement] => [
    Drawing.name,
    createElement(Drawing, { key: Drawing.name }),
  ]),
];
const fern = createElement(GrowingFern, { title: "What it shows", steps: 5 });

test.each([["fern", fern], ...scenesOfProjects, ...decorative])(
  "the drawing %s has at most 6 KB after compression, and no style attribute, which the CSP would block",
  (_, drawing) => {
    const html = renderToStaticMarkup(drawing);
    expect(brotliCompressSync(html).length).toBeLessThanOrEqual(6 * 1024);
    expect(html).not.toContain("style=");
  },
);

test("a drawing with a meaning has a name, and one without is hidden from screen readers", () => {
  expect(renderToStaticMarkup(fern)).toContain('role="img" aria-label="What it shows"');
  for (const [, drawing] of scenesOfProjects) {
    const html = renderToStaticMarkup(drawing);
    expect(html).toMatch(/ aria-label="|<legend>/);
    for (const [svg] of html.matchAll(/<svg[^>]*>/g)) expect(svg).toMatch(/ (aria-label="[^"]+"|aria-hidden="true")/);
  }
  for (const [, drawing] of decorative) expect(renderToStaticMarkup(drawing)).toMatch(/^<svg[^>]* aria-hidden="true"/);
});

test("the bars of a chart are as high as their readings, and the stem leads through their tops", () => {
  const draw = (values: number[], leaflets?: "use") => {
    const readings = values.map((value, index) => ({ time: `Week ${index + 1}`, value }));
    return load(renderToStaticMarkup(createElement(GrowthChart, { readings, unit: " h", leaflets })));
  };
  const $ = draw([10, 0, 40], "use");
  const heights = $("rect").map((_, bar) => Number($(bar).attr("height")));
  expect(heights.get()).toEqual([50, 0, 200]);
  const tops = $("circle").map((_, top) => `${$(top).attr("cx")} ${$(top).attr("cy")}`);
  for (const top of tops) expect($("path").attr("d")).toContain(top);
  expect($("svg").attr("aria-label")).toBe("Week 1: 10 h, Week 2: 0 h, Week 3: 40 h");
  expect($("p").text()).toBe("10 h Week 140 h Week 3");
  expect($("path").attr("marker-mid")).toBe(`url(#${leafletsOfCharts})`);
  expect(draw([0, 0]).html()).not.toMatch(/marker|NaN/);
});

test.each([3, 5, 6])("each of %d bars of the hero rises after the one before, the last at the same time", (steps) => {
  const holds = Array.from(fernStyles(steps).matchAll(/:nth-child\((\d)\)\{--hold:([\d.]+)\}/g), ([, , hold]) =>
    Number(hold),
  );
  expect(holds).toHaveLength(steps);
  expect(holds).toEqual(holds.toSorted((one, other) => one - other));
  expect([new Set(holds).size, holds[0], holds.at(-1)]).toEqual([steps, 0.2, 0.8]);
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
