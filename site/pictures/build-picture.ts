import { getImage } from "astro:assets";
import type { ImageMetadata } from "astro";
import type { BuiltPicture } from "./picture";

const files = import.meta.glob<{ default: ImageMetadata }>("../../content/pictures/*");

/** Makes a picture of `content/pictures/` small. `server/static-site/check-projects-and-proof.ts` finds wrong names before the build. */
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
