import { type Project, projects, scenes } from "#content/projects";
import { StartError } from "#server/start-error";
import { checkPicture } from "./check-picture.ts";

/**
 * Refuses a project whose drawing or picture the build cannot find, or whose link is no address of a page, in a sentence
 * that names file and slug.
 */
export async function checkProjects(all: readonly Project[] = projects) {
  for (const { slug, scene, picture, link } of all) {
    const project = `content/projects.ts: the project "${slug}"`;
    if (scene !== undefined && !Object.hasOwn(scenes, scene))
      throw new StartError(
        `${project} has the scene "${scene}", but the choice is: ${Object.keys(scenes).join(", ")}.`,
      );
    if (link && !/^(https?:\/\/|\/|#)/.test(link.href))
      throw new StartError(
        `${project} links to "${link.href}". Begin the address with https://, or with / on this site.`,
      );
    if (picture) await checkPicture(project, picture.file, picture.alt);
  }
}
