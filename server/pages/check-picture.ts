import { readFile } from "node:fs/promises";
import { basename, extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { explainFileError, StartError } from "#server/start-error";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pictureFormats = [".avif", ".jpeg", ".jpg", ".png", ".webp"];

/** The first bytes of each format. A telephone may have saved another format under the name. */
const beginnings: Readonly<Record<string, RegExp>> = {
  ".avif": /^.{4}ftypavi/s,
  ".jpeg": /^\xff\xd8\xff/,
  ".jpg": /^\xff\xd8\xff/,
  ".png": /^\x89PNG/,
  ".svg": /<svg/,
  ".webp": /^RIFF.{4}WEBP/s,
};

/** Refuses a picture that the build cannot use. `owner` begins the sentence: it names the file and the entry. */
export async function checkPicture(owner: string, name: string, alt: string, formats = pictureFormats) {
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
  if (!beginnings[format]?.test(content))
    throw new StartError(`${owner} has the picture ${file}, which is damaged or of another kind. Save it again.`);
}
