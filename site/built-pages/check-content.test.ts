import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { type Project, projects, type SceneName } from "#content/projects";
import { StartError } from "#process/start-error";
import {
  checkCalendar,
  checkCaseStudies,
  checkFigures,
  checkPrivacyPolicy,
  checkProjects,
  checkProof,
  refuseContentMistakes,
} from "./check-content.ts";

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
  await expect(checkProof({ ...nothing, ...change })).rejects.toThrow(
    new StartError(`content/people-and-customers.ts: ${problem}`),
  );
});

test("a build refuses a large figure that does not say where it is from, or when it was read", () => {
  const figure = { value: "12", label: "herons", source: "Counted at the weir", time: "May 2026" };
  checkFigures([{ name: "Herons", text: "", ask: { label: "", href: "" }, figure }]);
  for (const field of ["source", "time"])
    expect(() =>
      checkFigures([{ name: "Herons", text: "", ask: { label: "", href: "" }, figure: { ...figure, [field]: " " } }]),
    ).toThrow(`content/why-work-with-us.ts: the figure of "Herons" has no ${field}.`);
});

test("a build refuses two projects of one slug", async () => {
  await expect(checkProjects([heronry, { ...heronry, name: "Weir" }])).rejects.toThrow(
    new StartError(
      'content/projects.ts: the project "heronry" is there twice. Its slug is part of addresses: give each its own.',
    ),
  );
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
  await expect(checkPrivacyPolicy(`${terms}.txt`)).rejects.toThrow(
    new StartError("content/legal/privacy-policy.md cannot be read: it does not exist."),
  );
});

async function checkCaseStudy(name: string, published: string, below = "---\r\nText.\r\n") {
  const folder = await mkdtemp(join(tmpdir(), "case-studies-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, name), `---\r\ntitle: A hunt\r\n${published}\r\n${below}`);
  await checkCaseStudies(folder);
}

test("the content that ships can be built, and so can a case study with a day, and a folder with an editor's files", async () => {
  await refuseContentMistakes();
  for (const published of ["published: 2024-02-29 # a Thursday", "published:   2026-01-15", ""])
    await checkCaseStudy("museum.md", published);
  for (const name of [".DS_Store", "museum.md~", "Thumbs.db"]) await checkCaseStudy(name, "published: 1");
  await checkCaseStudies(join(tmpdir(), "no-such-folder"));
});

test.each([
  "2026-02-30",
  "2026-13-45",
  "2025-02-29",
  "2026-00-10",
  "2026-1-5",
  "15.01.2026",
  "2026-01-15T22:00:00-05:00",
])(
  "a build refuses a case study that was published on %s, which YAML takes for another day or for a text",
  async (day) => {
    await expect(checkCaseStudy("museum.md", `published: ${day}`)).rejects.toThrow(
      new StartError(`content/case-studies/museum.md:3: published is ${day}, but must be a day such as 2026-01-15.`),
    );
  },
);

test.each(["museum.MD", "museum.txt", "museum.markdown", "Museum.md", "museum", "harbour museum.md"])(
  "a build refuses the case study %s, which it would leave out or publish at another address",
  async (name) => {
    await expect(checkCaseStudy(name, "")).rejects.toThrow(
      new StartError(
        `content/case-studies/${name}: the name becomes an address, so it has only the letters a to z, digits and hyphens, and ends in .md. A picture is in content/pictures/.`,
      ),
    );
  },
);

test.each(["---\n", "---\n\n", ""])("a build refuses a case study without a text below its fields", async (below) => {
  await expect(checkCaseStudy("museum.md", "", below)).rejects.toThrow(
    /^content\/case-studies\/museum\.md:1: there must be fields between two lines of ---, and a text below them\.$/,
  );
});

test.each([
  [
    "a picture that does not exist",
    "![An owl](../pictures/owl.jpg)",
    " has the picture content/pictures/owl.jpg, which cannot be read: it does not exist.",
  ],
  [
    "a picture in angle brackets",
    '![An owl](<../pictures/my owl.jpg> "Owl")',
    " has the picture content/pictures/my owl.jpg, which cannot be read: it does not exist.",
  ],
  [
    "a photograph that no browser shows",
    "![An owl](../pictures/owl.heic)",
    " has the picture content/pictures/owl.heic, but its name must end in .avif, .jpeg, .jpg, .png, .svg, .webp.",
  ],
  [
    "a picture beside it",
    "![An owl](owl.jpg)",
    ': save "owl.jpg" in content/pictures/, and write ../pictures/owl.jpg.',
  ],
])("a build refuses a case study with %s, and names the line", async (_, picture, problem) => {
  const sentence = `content/case-studies/museum.md:6${problem}`;
  await expect(checkCaseStudy("museum.md", "", `---\r\n\r\nText: ${picture}.\r\n`)).rejects.toThrow(
    new StartError(sentence),
  );
});

test("a build refuses a picture of the fields that does not exist, and names the line", async () => {
  const fields = "picture:\n  file: 'owl.jpg' # ours\n  alt: An owl";
  await expect(checkCaseStudy("museum.md", fields)).rejects.toThrow(
    new StartError(
      "content/case-studies/museum.md:4 has the picture content/pictures/owl.jpg, which cannot be read: it does not exist.",
    ),
  );
});
