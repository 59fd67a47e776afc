import { access } from "node:fs/promises";
import { extname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { explainFileError, StartError } from "#server/start-error";

const root = fileURLToPath(new URL("../../", import.meta.url));
const pictureFormats = [".avif", ".jpeg", ".jpg", ".png", ".webp"];

/** Refuses a picture that the build cannot use. `owner` begins the sentence: it names the file and the entry. */
export async function checkPicture(owner: string, name: string, alt: string, formats = pictureFormats) {
  const file = `content/pictures/${name}`;
  if (!formats.includes(extname(file)))
    throw new StartError(`${owner} has the picture ${file}, but a picture ends in ${formats.join(", ")}.`);
  if (!alt.trim())
    throw new StartError(`${owner} has the picture ${file} without "alt", the words for those who do not see it.`);
  await access(join(root, file)).catch((error) => {
    throw explainFileError(`${owner} has the picture ${file}, which cannot be read`, error);
  });
}
