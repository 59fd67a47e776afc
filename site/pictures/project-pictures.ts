import { projects } from "#content/projects";
import { buildPicture } from "./build-picture";
import type { BuiltPicture } from "./picture";

/** Makes the pictures of the projects small and returns them by slug. */
export async function buildProjectPictures(): Promise<Record<string, BuiltPicture>> {
  const pictures: Record<string, BuiltPicture> = {};
  for (const { slug, picture } of projects) {
    const built = picture && (await buildPicture(picture.file, picture.alt));
    if (built) pictures[slug] = built;
  }
  return pictures;
}
