import { access } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Project, projects, scenes } from "#content/projects";
import { explainFileError, StartError } from "#server/start-error";

const root = fileURLToPath(new URL("../../", import.meta.url));
const formats = [".avif", ".jpeg", ".jpg", ".png", ".webp"];

/** Refuses a project whose drawing or picture the build cannot find, in a sentence that names file and slug. */
export async function checkProjects(all: readonly Project[] = projects) {
  for (const { slug, scene, picture } of all) {
    const project = `content/projects.ts: the project "${slug}"`;
    if (scene !== undefined && !Object.hasOwn(scenes, scene))
      throw new StartError(
        `${project} has the scene "${scene}", but there is only: ${Object.keys(scenes).join(", ")}.`,
      );
    if (!picture) continue;

    const file = `content/pictures/${picture.file}`;
    if (!formats.includes(extname(file)))
      throw new StartError(`${project} has the picture ${file}, but a picture ends in ${formats.join(", ")}.`);
    if (!picture.alt.trim())
      throw new StartError(`${project} has the picture ${file} without "alt", the words for those who do not see it.`);
    await access(join(root, file)).catch((error) => {
      throw explainFileError(`${project} has the picture ${file}, which cannot be read`, error);
    });
  }
}
