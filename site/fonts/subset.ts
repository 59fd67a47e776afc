import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import subsetFont from "subset-font";

/** A typeface as its package brings it: one file per script, with the characters that each holds. */
export interface Typeface {
  /** The package, and how its files are named: `latin` in this pattern becomes `latin-ext`. */
  package: string;
  file: string;
  /** The weights we set text in; a variable font is cut to them. */
  weight: `${number}` | `${number} ${number}`;
}

/** One file of a typeface, and the characters a page must show before a browser asks for it. */
export interface FontSubset {
  characters: "usual" | "rare" | "extended";
  file: string;
  weight: string;
  unicodeRange: string[];
}

/**
 * What nearly every page is set in. This part is preloaded; whatever else an owner may write is in the other two, which
 * a browser fetches only for a page that needs them. So the first part can be small and still nothing is missing.
 */
const usual = `ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789\u00a0 .,:;!?&()%+/@©-–—'’‘"“”…`;

/**
 * Kerning, ligatures and accents in place; and digits of one width, for tables. The rest is never asked for, except
 * `rvrn`, which browsers always apply: without it Fraunces shows its ornamental ampersand instead of the plain one.
 */
const keepFeatures = ["kern", "liga", "calt", "ccmp", "locl", "mark", "mkmk", "rvrn", "tnum"];

const root = new URL("../../", import.meta.url);
const folder = new URL(".cache/fonts/", root);

/** Cuts a typeface in three, once: the same source and the same cut are the same file, found again at the next build. */
export async function subsetTypeface(typeface: Typeface): Promise<FontSubset[]> {
  const at = (file: string) => new URL(`node_modules/${typeface.package}/${file}`, root);
  const ranges: Record<"latin" | "latin-ext", string> = JSON.parse(await readFile(at("unicode.json"), "utf8"));
  const latin = await readFile(at(typeface.file));
  const rare = charactersIn(ranges.latin).filter((character) => !usual.includes(character));

  const [usualFile, rareFile] = await Promise.all(
    [usual, rare.join("")].map((characters) => cutFile(latin, characters, typeface.weight)),
  );
  const { weight } = typeface;
  return [
    { characters: "usual", file: usualFile ?? "", weight, unicodeRange: rangesOf([...usual]) },
    { characters: "rare", file: rareFile ?? "", weight, unicodeRange: rangesOf(rare) },
    {
      characters: "extended",
      file: fileURLToPath(at(typeface.file.replace("-latin-", "-latin-ext-"))),
      weight,
      unicodeRange: ranges["latin-ext"].split(","),
    },
  ];
}

async function cutFile(source: Buffer, characters: string, weight: string): Promise<string> {
  const key = createHash("sha256")
    .update(source)
    .update(JSON.stringify([characters, weight, keepFeatures]));
  const file = fileURLToPath(new URL(`${key.digest("hex").slice(0, 16)}.woff2`, folder));
  if (await isThere(file)) return file;

  const [min, max] = weight.split(" ").map(Number);
  const variationAxes = min !== undefined && max !== undefined ? { wght: { min, max } } : undefined;
  const font = await subsetFont(source, characters, { targetFormat: "woff2", keepFeatures, variationAxes });
  // Two builds may cut at once: neither may read half of the other's file.
  const fresh = `${file}.${randomUUID()}`;
  await mkdir(folder, { recursive: true });
  await writeFile(fresh, font);
  await rename(fresh, file);
  return file;
}

function isThere(file: string): Promise<boolean> {
  return readFile(file).then(
    () => true,
    () => false,
  );
}

/** `U+0041-0043,U+20AC` as characters. */
function charactersIn(ranges: string): string[] {
  return ranges.split(",").flatMap((range) => {
    const [from = 0, to = from] = range
      .replace("U+", "")
      .split("-")
      .map((hex) => Number.parseInt(hex, 16));
    return Array.from({ length: to - from + 1 }, (_, step) => String.fromCodePoint(from + step));
  });
}

/** The other way round, for CSS. */
function rangesOf(characters: readonly string[]): string[] {
  const codes = characters.map((character) => character.codePointAt(0) ?? 0).sort((one, other) => one - other);
  const starts = codes.filter((code) => !codes.includes(code - 1));
  const ends = codes.filter((code) => !codes.includes(code + 1));
  const hex = (code: number | undefined) => code?.toString(16) ?? "";
  return starts.map((start, index) => `U+${start === ends[index] ? hex(start) : `${hex(start)}-${hex(ends[index])}`}`);
}
