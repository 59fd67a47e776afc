import { expect, test } from "vitest";
import type { Project, SceneName } from "#content/projects";
import { StartError } from "#server/start-error";
import { checkProjects } from "./check-projects.ts";

const heronry: Project = { slug: "heronry", name: "Heronry", description: "It counts herons.", caption: "A heron" };

test("the projects that ship can be built, and so can one without a scene and a picture", async () => {
  await checkProjects();
  await checkProjects([heronry]);
});

const wrong: [string, Partial<Project>, string][] = [
  [
    "an unknown scene",
    { scene: "constructor" as SceneName },
    'has the scene "constructor", but the choice is: trail, cards, map, seedling.',
  ],
  [
    "a missing picture",
    { picture: { file: "no-such.jpg", alt: "A heron" } },
    "has the picture content/pictures/no-such.jpg, which cannot be read: it does not exist.",
  ],
  [
    "a missing picture with its ending in capitals, which is a picture too",
    { picture: { file: "no-such.JPG", alt: "A heron" } },
    "has the picture content/pictures/no-such.JPG, which cannot be read: it does not exist.",
  ],
  [
    "a script as a link",
    { link: { href: "javascript:alert(1)", text: "Visit" } },
    'links to "javascript:alert(1)". Begin the address with https://, or with / on this site.',
  ],
  [
    "a picture of another folder",
    { picture: { file: "../../package.json", alt: "A heron" } },
    'has the picture "../../package.json". Save it in content/pictures/, and write its name alone.',
  ],
  [
    "a picture without a text",
    { picture: { file: "heron.jpg", alt: " " } },
    'has the picture content/pictures/heron.jpg without "alt", the words for those who do not see it.',
  ],
  [
    "a picture of another format",
    { picture: { file: "heron.heic", alt: "A heron" } },
    "has the picture content/pictures/heron.heic, but its name must end in .avif, .jpeg, .jpg, .png, .webp.",
  ],
];

test.each(wrong)("a build refuses %s in one sentence that names file and project", async (_, change, problem) => {
  const sentence = `content/projects.ts: the project "heronry" ${problem}`;
  await expect(checkProjects([{ ...heronry, ...change }])).rejects.toThrow(new StartError(sentence));
});
