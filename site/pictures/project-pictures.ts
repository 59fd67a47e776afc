import { getImage } from "astro:assets";
import type { ImageMetadata } from "astro";
import { projects } from "#content/projects";

/** A picture in the sizes and formats that the build made of it. */
export interface BuiltPicture {
  alt: string;
  avif: string;
  webp: string;
  src: string;
  width: number;
  height: number;
}

const files = import.meta.glob<{ default: ImageMetadata }>("../../content/pictures/*");
const widths = [480, 960, 1440, 1920];

/** Makes the pictures of the projects small and returns them by slug. `server/pages/check-projects.ts` finds wrong names. */
export async function buildProjectPictures(): Promise<Record<string, BuiltPicture>> {
  const pictures: Record<string, BuiltPicture> = {};
  for (const { slug, picture } of projects) {
    const load = picture && files[`../../content/pictures/${picture.file}`];
    if (!load) continue;
    const { default: src } = await load();
    const [avif, webp] = await Promise.all([
      getImage({ src, widths, format: "avif" }),
      getImage({ src, widths, format: "webp", width: Math.min(src.width, 960) }),
    ]);
    pictures[slug] = {
      alt: picture.alt,
      avif: avif.srcSet.attribute,
      webp: webp.srcSet.attribute,
      src: webp.src,
      width: src.width,
      height: src.height,
    };
  }
  return pictures;
}
