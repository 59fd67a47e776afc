import { getImage } from "astro:assets";
import type { ImageMetadata } from "astro";
import type { BuiltPicture } from "./picture";

const files = import.meta.glob<{ default: ImageMetadata }>("../../content/pictures/*");

/** Makes a picture of `content/pictures/` small. `server/pages/check-picture.ts` finds wrong names before the build. */
export async function buildPicture(
  file: string,
  alt: string,
  widths: readonly number[] = [480, 960, 1440, 1920],
): Promise<BuiltPicture | undefined> {
  const load = files[`../../content/pictures/${file}`];
  if (!load) return undefined;
  const { default: src } = await load();
  const { width, height, format } = src;
  if (format === "svg") return { alt, src: src.src, width, height };

  const [avif, webp] = await Promise.all([
    getImage({ src, widths: [...widths], format: "avif" }),
    getImage({ src, widths: [...widths], format: "webp", width: Math.min(width, widths[1] ?? width) }),
  ]);
  return { alt, avif: avif.srcSet.attribute, webp: webp.srcSet.attribute, src: webp.src, width, height };
}
