import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { type Project, projects, type SceneName } from "#content/projects";
import { StartError } from "#server/start-error";
import { checkCalendar, checkFigures, checkPrivacyPolicy, checkProjects, checkProof } from "./check-content.ts";

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

test("a build refuses a large figure that does not say where it is from, or when it was read", () => {
  const figure = { value: "12", label: "herons", source: "Counted at the weir", time: "May 2026" };
  checkFigures([{ name: "Herons", text: "", ask: { label: "", href: "" }, figure }]);
  for (const field of ["source", "time"])
    expect(() =>
      checkFigures([{ name: "Herons", text: "", ask: { label: "", href: "" }, figure: { ...figure, [field]: " " } }]),
    ).toThrow(`content/why-work-with-us.ts: the figure of "Herons" has no ${field}.`);
});

test("a build refuses a calendar without https", () => {
  for (const href of ["", "https://calendar.test/ada"]) checkCalendar(href);
  for (const href of ["http://calendar.test", "calendar.test", "javascript:alert(1)", "https://"])
    expect(() => checkCalendar(href)).toThrow(`content/landing.ts: the calendar is at "${href}".`);
});

test("a build refuses to keep sources if the privacy policy says nothing of it", async () => {
  await checkPrivacyPolicy();
  const terms = fileURLToPath(new URL("../../content/legal/terms-of-service.md", import.meta.url));
  await expect(checkPrivacyPolicy(terms)).rejects.toThrow("content/legal/privacy-policy.md says nothing about sources");
  await checkPrivacyPolicy(terms, false);
});
