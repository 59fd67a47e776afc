import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import subsetFont from "subset-font";
import { brand } from "#content/brand";
import * as landing from "#content/landing";
import * as proof from "#content/people-and-customers";
import * as projects from "#content/projects";
import * as services from "#content/services";
import * as reasons from "#content/why-work-with-us";

/** A typeface from a Fontsource package. */
export interface Typeface {
  package: string;
  /**
   * The file with the Latin characters. The file with the extended Latin characters has `latin-ext` in its name instead
   * of `latin`.
   */
  file: string;
  /** The weights that the pages use. Other weights are removed from a variable font. */
  weight: `${number}` | `${number} ${number}`;
}

/** The typeface of headings. `fallback-fonts.css` scales the fallback fonts to the sizes of both typefaces. */
export const fraunces: Typeface = {
  package: "@fontsource/fraunces",
  file: "files/fraunces-latin-600-normal.woff2",
  weight: "600",
};

/** The typeface of all other text. */
export const figtree: Typeface = {
  package: "@fontsource-variable/figtree",
  file: "files/figtree-latin-wght-normal.woff2",
  weight: "400 600",
};

/** Letters such as ü, which an owner's name and words may have. A name with one letter in another typeface looks broken. */
const ownLetters = JSON.stringify([brand, landing, projects, proof, reasons, services]).match(/[À-ÖØ-öø-ÿ]/g) ?? [];

/** The characters of nearly every page. The other two subsets are loaded only where they are needed. */
export const usual = `${[...new Set(ownLetters)].join("")}ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\u00a0 .,:;!?&()%+/@©-–—'’‘"“”…`;

/**
 * The OpenType features of text: kerning, ligatures and accents. `rvrn` is kept because browsers always apply it: without
 * it Fraunces shows its ornamental ampersand.
 */
export const textFeatures = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "rvrn"];
/** The files also have digits of one width, for tables. */
const keepFeatures = [...textFeatures, "tnum"];

const root = new URL("../../", import.meta.url);
const folder = ".cache/fonts/";

/**
 * Splits a typeface into three files: the usual characters, the other Latin ones and extended Latin. A browser loads a
 * file when a page has a character of its range. The files are cached under a hash of the source and the options. Their
 * paths begin at the root of the repository: Astro writes a hash of them into the pages, so absolute paths would give a
 * build in another folder other bytes.
 */
export async function subsetTypeface(typeface: Typeface): Promise<[Face, Face, Face]> {
  const at = (file: string) => `node_modules/${typeface.package}/${file}`;
  const read = (file: string) => readFile(new URL(at(file), root));
  const ranges: Record<"latin" | "latin-ext", string> = JSON.parse((await read("unicode.json")).toString());
  const latin = await read(typeface.file);
  const rare = charactersIn(ranges.latin).filter((character) => !usual.includes(character));

  const [usualFile, rareFile] = await Promise.all(
    [usual, rare.join("")].map((characters) => subsetFile(latin, characters, typeface.weight)),
  );
  return [
    face(usualFile ?? "", typeface, rangesOf([...usual])),
    face(rareFile ?? "", typeface, rangesOf(rare)),
    face(at(typeface.file.replace("-latin-", "-latin-ext-")), typeface, ranges["latin-ext"].split(",")),
  ];
}

type Face = ReturnType<typeof face>;

/** A `@font-face` as Astro takes it. Text never moves: it stays in the fallback font if the file is not there in time. */
function face(file: string, { weight }: Typeface, [first = "", ...more]: string[]) {
  const unicodeRange: [string, ...string[]] = [first, ...more];
  return { src: [`./${file}`] as [string], weight, style: "normal", display: "optional", unicodeRange } as const;
}

async function subsetFile(source: Buffer, characters: string, weight: Typeface["weight"]): Promise<string> {
  const key = createHash("sha256")
    .update(source)
    .update(JSON.stringify([characters, weight, keepFeatures]));
  const path = `${folder}${key.digest("hex").slice(0, 16)}.woff2`;
  const file = new URL(path, root);
  if (existsSync(file)) return path;

  const font = await cut(source, characters, weight);
  // The rename is atomic: a second build at the same time must not read half of the file.
  const temporary = new URL(`${file}.${randomUUID()}`);
  await mkdir(new URL(folder, root), { recursive: true });
  await writeFile(temporary, font);
  await rename(temporary, file);
  return path;
}

/** Returns a WOFF2 file with these characters, weights and features only. */
export function cut(
  source: Buffer,
  characters: string,
  weight: Typeface["weight"],
  features: readonly string[] = keepFeatures,
): Promise<Buffer> {
  const [min, max] = weight.split(" ").map(Number);
  const variationAxes = min !== undefined && max !== undefined ? { wght: { min, max } } : undefined;
  return subsetFont(source, characters, { targetFormat: "woff2", keepFeatures: features, variationAxes });
}

/** Returns the characters of a range such as `U+0041-0043,U+20AC`. */
function charactersIn(ranges: string): string[] {
  return ranges.split(",").flatMap((range) => {
    const [from = 0, to = from] = range
      .replace("U+", "")
      .split("-")
      .map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: to - from + 1 }, (_, step) => String.fromCodePoint(from + step));
  });
}

/** Returns the ranges that cover the characters, for `unicode-range` in CSS. */
export function rangesOf(characters: readonly string[]): string[] {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0).sort((one, other) => one - other);
  const starts = codes.filter((code) => !codes.includes(code - 1));
  const ends = codes.filter((code) => !codes.includes(code + 1));
  const hex = (code: number | undefined) => code?.toString(16) ?? "";
  return starts.map((start, index) => `U+${start === ends[index] ? hex(start) : `${hex(start)}-${hex(ends[index])}`}`);
}
