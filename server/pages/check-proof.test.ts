import { expect, test } from "vitest";
import { projects } from "#content/projects";
import { StartError } from "#server/start-error";
import { checkProof } from "./check-proof.ts";

const nothing = { people: [], logos: [], screenshots: [] };
const slugs = projects.map(({ slug }) => slug).join(", ");
const shot = { file: "app.png", alt: "A list of birds", caption: "The field book" };

test("the proof that ships can be built, and so can a person without a portrait", async () => {
  await checkProof();
  await checkProof({ ...nothing, people: [{ name: "Jun Abe", role: "Design", line: "Draws." }] });
});

test.each<[string, Partial<Parameters<typeof checkProof>[0]>, string]>([
  [
    "a portrait that does not exist",
    { people: [{ name: "Jun Abe", role: "Design", line: "Draws.", portrait: "jun.jpg" }] },
    'the person "Jun Abe" has the picture content/pictures/jun.jpg, which cannot be read: it does not exist.',
  ],
  [
    "a logo that would have a background",
    { logos: [{ name: "Kite", file: "kite.jpg" }] },
    'the logo of "Kite" has the picture content/pictures/kite.jpg, but its name must end in .svg, .png.',
  ],
  [
    "a logo that the server would not serve",
    { logos: [{ name: "Kite", file: "kite.SVG" }] },
    'the logo of "Kite" has the picture content/pictures/kite.SVG, but its name must end in .svg, .png.',
  ],
  [
    "a screenshot without a text",
    { screenshots: [{ ...shot, alt: "" }] },
    'the screenshot "The field book" has the picture content/pictures/app.png without "alt", the words for those who do not see it.',
  ],
  [
    "a screenshot of an unknown project",
    { screenshots: [{ ...shot, project: "heronry" }] },
    `the screenshot "The field book" is of the project "heronry", but the choice is: ${slugs}.`,
  ],
])("a build refuses %s in one sentence that names file and entry", async (_, change, problem) => {
  await expect(checkProof({ ...nothing, ...change })).rejects.toThrow(new StartError(`content/proof.ts: ${problem}`));
});
