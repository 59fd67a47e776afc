import { readdir, readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { servicesIntroduction } from "#content/landing";
import * as proof from "#content/people-and-customers";
import { type Project, projects, scenes } from "#content/projects";
import { keepsSources } from "#content/visit-sources";
import { type Reason, reasons } from "#content/why-work-with-us";
import { explainFileError, StartError } from "#process/start-error";

/** Refuses a file of `content/` that a build cannot use, or would take for something else, in one sentence. */
export async function refuseContentMistakes() {
  await checkProjects();
  await checkProof();
  checkFigures();
  checkCalendar();
  await checkPrivacyPolicy();
  await checkCaseStudies();
}

/**
 * Refuses a project whose drawing or picture the build cannot find, or whose link is no address of a page, in a sentence
 * that names file and slug.
 */
export async function checkProjects(all: readonly Project[] = projects) {
  for (const { slug, scene, picture, link } of all) {
    const project = `content/projects.ts: the project "${slug}"`;
    if (all.filter((each) => each.slug === slug).length > 1)
      throw new StartError(`${project} is there twice. Its slug is part of addresses: give each its own.`);
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

/** Refuses a large figure that does not say where it is from. */
export function checkFigures(all: readonly Reason[] = reasons) {
  for (const { name, figure } of all) {
    const missing = (["source", "time"] as const).find((field) => figure && !figure[field]?.trim());
    if (missing)
      throw new StartError(
        `content/why-work-with-us.ts: the figure of "${name}" has no ${missing}. Say where the number is from, and when it was read.`,
      );
  }
}

/** Refuses an address of the calendar that does not begin with https://. */
export function checkCalendar(href: string = servicesIntroduction.calendar.href) {
  if (href && !(URL.canParse(href) && new URL(href).protocol === "https:"))
    throw new StartError(`content/landing.ts: the calendar is at "${href}". Begin the address with https://.`);
}

/** Refuses to keep sources without a word of it in the privacy policy. */
export async function checkPrivacyPolicy(
  file = join(root, "content/legal/privacy-policy.md"),
  isOn: boolean = keepsSources,
) {
  const text = await readText(file, "content/legal/privacy-policy.md");
  if (isOn && !text.includes("{if sources}"))
    throw new StartError(
      "content/legal/privacy-policy.md says nothing about sources: tell of them between {if sources} and {end}, or set keepsSources in content/visit-sources.ts to false.",
    );
}

/** Refuses a case study that would be left out, be put on another day, or lack a picture or its text. */
export async function checkCaseStudies(folder = join(root, "content/case-studies")) {
  for (const name of await readdir(folder).catch(() => [])) {
    // What file managers and editors leave is no case study.
    if (/^\.|~$|^(desktop\.ini|thumbs\.db)$/i.test(name)) continue;
    const file = `content/case-studies/${name}`;
    if (!/^[a-z0-9-]+\.md$/.test(name))
      throw new StartError(
        `${file}: the name becomes an address, so it has only the letters a to z, digits and hyphens, and ends in .md. A picture is in content/pictures/.`,
      );
    const text = await readText(join(folder, name), file);
    if (!/^\uFEFF?\s*---\s*\n.*?\n---\s*\n\s*\S/s.test(text))
      throw new StartError(`${file}:1: there must be fields between two lines of ---, and a text below them.`);
    const parts =
      /^published: *([^\n#]*[^\s#])|^ +file: *["']?([^"'\n#]*[^"'\s#])|!\[[^\]]*\]\(\s*<?([^)>"\n]*[^)>"\s])/gm;
    const body = text.indexOf("\n---", 3);
    for (const { 1: day, 2: picture, 3: source = "", index } of text.matchAll(parts)) {
      if (!source && index > body) continue;
      const place = `${file}:${text.slice(0, index).split("\n").length}`;
      // YAML takes the 30th of February for the 2nd of March.
      if (day && !(/^\d{4}-\d\d-\d\d$/.test(day) && new Date(day).toJSON()?.startsWith(day)))
        throw new StartError(`${place}: published is ${day}, but must be a day such as 2026-01-15.`);
      if (/^(?!\.\.\/pictures\/|\/|\w+:)./.test(source))
        throw new StartError(
          `${place}: save "${source}" in content/pictures/, and write ../pictures/${basename(source)}.`,
        );
      const own = picture ?? /^\.\.\/pictures\/(.*)/.exec(source)?.[1];
      if (own !== undefined)
        await checkPicture(place, own.replaceAll("%20", " "), "in the text", Object.keys(beginnings));
    }
  }
}

type Pictured = Pick<typeof proof, "people" | "logos" | "screenshots">;

/** Refuses a picture of `content/people-and-customers.ts` that the build cannot use, and a screenshot of an unknown project. */
export async function checkProof({ people, logos, screenshots }: Pictured = proof) {
  for (const { name, portrait } of people)
    if (portrait) await checkPicture(`content/people-and-customers.ts: the person "${name}"`, portrait, name);
  for (const { name, file } of logos)
    await checkPicture(`content/people-and-customers.ts: the logo of "${name}"`, file, name, [".svg", ".png"]);
  for (const { project, file, alt, caption } of screenshots) {
    const screenshot = `content/people-and-customers.ts: the screenshot "${caption}"`;
    if (project && !projects.some(({ slug }) => slug === project))
      throw new StartError(
        `${screenshot} is of the project "${project}", but the choice is: ${projects.map(({ slug }) => slug).join(", ")}.`,
      );
    await checkPicture(screenshot, file, alt);
  }
}

function readText(path: string, file: string): Promise<string> {
  return readFile(path, "utf8").catch((error) => {
    throw explainFileError(`${file} cannot be read`, error);
  });
}

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The first bytes of each format. A telephone may have saved another format under the name. */
const beginnings: Readonly<Record<string, RegExp>> = {
  ".avif": /^.{4}ftypavi/s,
  ".jpeg": /^\xff\xd8\xff/,
  ".jpg": /^\xff\xd8\xff/,
  ".png": /^\x89PNG/,
  ".svg": /<svg/,
  ".webp": /^RIFF.{4}WEBP/s,
};
const pictureFormats = Object.keys(beginnings).filter((format) => format !== ".svg");

/** Refuses a picture that the build cannot use. `owner` begins the sentence: it names the file and the entry. */
async function checkPicture(owner: string, name: string, alt: string, formats = pictureFormats) {
  const file = `content/pictures/${name}`;
  const ending = extname(file);
  // Cameras write `.JPG`. An SVG is published under its own name, and the server knows only `.svg`.
  const format = ending.toLowerCase() === ".svg" ? ending : ending.toLowerCase();
  if (basename(name) !== name)
    throw new StartError(`${owner} has the picture "${name}". Save it in content/pictures/, and write its name alone.`);
  if (!formats.includes(format))
    throw new StartError(`${owner} has the picture ${file}, but its name must end in ${formats.join(", ")}.`);
  if (!alt.trim())
    throw new StartError(`${owner} has the picture ${file} without "alt", the words for those who do not see it.`);
  const content = await readFile(join(root, file), "latin1").catch((error) => {
    throw explainFileError(`${owner} has the picture ${file}, which cannot be read`, error);
  });
  // macOS and Windows also open a file whose name has other capitals, which the build then does not find.
  if (!(await readdir(join(root, "content/pictures"))).includes(name))
    throw new StartError(`${owner} has the picture ${file}, whose name is written otherwise there.`);
  if (!beginnings[format]?.test(content))
    throw new StartError(`${owner} has the picture ${file}, which is damaged or of another kind. Save it again.`);
}
