import { projects } from "#content/projects";
import * as proof from "#content/proof";
import { StartError } from "#server/start-error";
import { checkPicture } from "./check-picture.ts";

type Pictured = Pick<typeof proof, "people" | "logos" | "screenshots">;

/** Refuses a picture of `content/proof.ts` that the build cannot use, and a screenshot of an unknown project. */
export async function checkProof({ people, logos, screenshots }: Pictured = proof) {
  for (const { name, portrait } of people)
    if (portrait) await checkPicture(`content/proof.ts: the person "${name}"`, portrait, name);
  for (const { name, file } of logos)
    await checkPicture(`content/proof.ts: the logo of "${name}"`, file, name, [".svg", ".png"]);
  for (const { project, file, alt, caption } of screenshots) {
    const screenshot = `content/proof.ts: the screenshot "${caption}"`;
    if (project && !projects.some(({ slug }) => slug === project))
      throw new StartError(
        `${screenshot} is of the project "${project}", but the choice is: ${projects.map(({ slug }) => slug).join(", ")}.`,
      );
    await checkPicture(screenshot, file, alt);
  }
}
