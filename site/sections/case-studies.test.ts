import { load } from "cheerio";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { figureLabel } from "#content/language";
import { type Project, projects } from "#content/projects";
import { CaseStudies } from "./case-studies";

const heronry: Project = { slug: "heronry", name: "Heronry", description: "It counts herons.", caption: "A heron" };
const picture = {
  alt: "A heron in a reed bed",
  avif: "/_astro/heron.avif 480w",
  webp: "/_astro/heron.webp 480w",
  src: "/_astro/heron.webp",
  width: 1200,
  height: 800,
};
const render = (all: readonly Project[], pictures = {}) =>
  load(renderToStaticMarkup(createElement(CaseStudies, { all, pictures })));

test("the figures of the projects are numbered by their position, after the figure of the hero", () => {
  for (const all of [projects, [heronry, ...projects]]) {
    const $ = render(all);
    const captions = $("figcaption").map((_, caption) => $(caption).text());
    expect(captions.get()).toEqual(all.map(({ caption }, index) => `${figureLabel(index + 2)} ${caption}`));
  }
});

test("a picture takes the place of the drawing, with its text, its size and its formats, and loads late", () => {
  const $ = render([...projects, { ...heronry, scene: "map" }], { heronry: picture });
  const card = $("article").last();
  expect(card.find("svg")).toHaveLength(0);
  expect(card.find("source").attr()).toMatchObject({ type: "image/avif", srcset: picture.avif });
  const { alt, src, webp: srcset } = picture;
  expect(card.find("img").attr()).toMatchObject({ alt, src, srcset, width: "1200", height: "800", loading: "lazy" });
});

test("a project without a scene and a picture gets a drawing with a text", () => {
  expect(
    render([...projects, heronry])("article")
      .last()
      .find("svg")
      .attr("aria-label"),
  ).toMatch(/seedling/);
});
