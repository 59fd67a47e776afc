import { createHash } from "node:crypto";
import frauncesFile from "@fontsource/fraunces/files/fraunces-latin-600-normal.woff2?inline";
import figtreeFile from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?inline";
import { brand } from "#content/brand";
import { hero } from "#content/landing";
import { results } from "#content/proof";
import { reasons } from "#content/reasons";
import { cut, rangesOf, usual } from "./subset";
import { figtree, fraunces } from "./typefaces";

/** The largest words of the page, which show in the right typeface from the first paint. */
const largest = [brand.name, ...hero.headline, ...[...reasons, ...results].map(({ figure }) => figure?.value ?? "")];

const typefaces = {
  // Other headings have few digits and marks, so these stay in the file.
  fraunces: {
    ...fraunces,
    file: frauncesFile,
    characters: [...usual]
      .filter((character) => /[A-Za-zÀ-ÿ .,:?!&’-]/.test(character) || largest.join("").includes(character))
      .join(""),
  },
  figtree: { ...figtree, file: figtreeFile, characters: usual },
};

/**
 * Returns the styles of a typeface with its usual characters in the styles themselves, and a script that loads them
 * before the first layout; without it the first frame would have no text. `fontStyle` is what Astro's `<Font>` writes.
 * Its first face has the usual characters in a file.
 */
export async function inlineTypeface(name: keyof typeof typefaces, fontStyle: string) {
  const { file, characters, weight } = typefaces[name];
  const all = fontStyle.replaceAll(/<\/?style>/g, "");
  const [first, family] = /@font-face\{font-family:([^;]+);[^}]+\}/.exec(all) ?? [];
  if (!first || !family) throw new Error(`Astro's style of ${name} has no face.`);

  const source = Buffer.from(file.slice(file.indexOf(",") + 1), "base64");
  const data = (await cut(source, characters, weight)).toString("base64");
  const inline = `@font-face{font-family:${family};src:url(data:font/woff2;base64,${data});font-weight:${weight};font-display:block;unicode-range:${rangesOf([...characters])}}`;
  // A face that has a character as well would be loaded too.
  const others = [...usual].filter((character) => !characters.includes(character));
  const inFile = others.length === 0 ? "" : first.replace(/unicode-range:[^;]+/, `unicode-range:${rangesOf(others)}`);

  const css = all.replace(first, inline + inFile);
  const script = `document.fonts.load("${weight.slice(0, 3)} 1em ${family}")`;
  return { css, script, cssHash: hashOf(css), scriptHash: hashOf(script) };
}

function hashOf(text: string): `sha256-${string}` {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}
