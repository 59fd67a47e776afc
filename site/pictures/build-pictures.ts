import { getImage } from "astro:assets";
import { basename } from "node:path";
import type { ImageMetadata } from "astro";
import { load } from "cheerio";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { logos, people, screenshots } from "#content/people-and-customers";
import { projects } from "#content/projects";
import { type BuiltPicture, Picture } from "./picture";

/** Makes the pictures of the projects small and returns them by slug. */
export async function buildProjectPictures(): Promise<Record<string, BuiltPicture>> {
  const pictures: Record<string, BuiltPicture> = {};
  for (const { slug, picture } of projects) {
    const built = picture && (await buildPicture(picture.file, picture.alt));
    if (built) pictures[slug] = built;
  }
  return pictures;
}

/** Makes the pictures of `content/people-and-customers.ts` small and returns them by the names of their files. */
export async function buildProofPictures(): Promise<Record<string, BuiltPicture>> {
  const wanted: [file: string | undefined, alt: string, widths: number[]][] = [
    ...people.map(({ portrait }): [string | undefined, string, number[]] => [portrait, "", [240, 480]]),
    ...logos.map(({ file, name }): [string, string, number[]] => [file, name, [160, 320]]),
    ...screenshots.map(({ file, alt }): [string, string, number[]] => [file, alt, [400, 800, 1200]]),
  ];
  const pictures: Record<string, BuiltPicture> = {};
  for (const [file, alt, widths] of wanted) {
    const built = file && (await buildPicture(file, alt, widths));
    if (built) pictures[file] = built;
  }
  return pictures;
}

const files = import.meta.glob<{ default: ImageMetadata }>(
  "../../content/pictures/*.{avif,jpeg,jpg,png,svg,webp}",
  // Cameras write `.JPG`.
  { caseSensitive: false },
);

/** Makes a picture small. `site/built-pages/check-content.ts` finds wrong names before the build. */
export async function buildPicture(
  file: string,
  alt: string,
  widths: readonly number[] = [480, 960, 1440, 1920],
): Promise<BuiltPicture | undefined> {
  const load = files[`../../content/pictures/${file}`];
  if (!load) return undefined;
  const { default: src } = await load();
  if (file.endsWith(".svg")) return { alt, src: src.src, width: src.width, height: src.height };

  // Reading a property of `src` here would publish the original beside the smaller ones. `width` never enlarges.
  const options = { src, widths: [...widths], width: widths[1] ?? 960 };
  const [avif, webp] = await Promise.all([
    getImage({ ...options, format: "avif" }),
    getImage({ ...options, format: "webp" }),
  ]);
  const { width, height } = webp.attributes;
  return { alt, avif: avif.srcSet.attribute, webp: webp.srcSet.attribute, src: webp.src, width, height };
}

/** Puts small pictures in the place of those that a text names, which Astro has marked. */
export async function placePictures(html: string): Promise<string> {
  const $ = load(html, null, false);
  for (const image of $("img[__astro_image_]").get()) {
    const { src, alt } = JSON.parse(image.attribs.__astro_image_ ?? "");
    const built = await buildPicture(basename(src), alt);
    const sizes = "(width < 40rem) 100vw, 38rem";
    if (built) $(image).replaceWith(renderToStaticMarkup(createElement(Picture, { ...built, sizes })));
  }
  return $.html();
}
