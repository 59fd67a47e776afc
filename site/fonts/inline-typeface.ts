import frauncesFile from "@fontsource/fraunces/files/fraunces-latin-600-normal.woff2?inline";
import figtreeFile from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?inline";
import { load } from "cheerio";
import { cut, figtree, fraunces, rangesOf, textFeatures, usual } from "./font-subsets";

const typefaces = {
  fraunces: { ...fraunces, file: frauncesFile, charactersFor: inHeadings },
  // Visitors type all characters into the form.
  figtree: { ...figtree, file: figtreeFile, charactersFor: () => usual },
};

/**
 * Returns the characters of the elements that have the typeface of headings. The file has the others. Addresses, which are
 * the reason for an `@`, have the other typeface.
 */
function inHeadings(page: string): string {
  const text = load(page)("h1, h2, h3, h4, h2 + p, header, footer p:first-child, strong, blockquote").text();
  return usual.replaceAll(/./gs, (character) => (character !== "@" && text.includes(character) ? character : ""));
}

/**
 * Returns the styles of a typeface with the usual characters of a page in the styles themselves, and a script that loads
 * them before the first layout; without it the first frame would have no text. `fontStyle` is what Astro's `<Font>`
 * writes. Its first face has the usual characters in a file.
 */
export async function inlineTypeface(name: keyof typeof typefaces, fontStyle: string, page: string) {
  const { file, charactersFor, weight } = typefaces[name];
  const characters = charactersFor(page);
  const all = fontStyle.replaceAll(/<\/?style>/g, "");
  // The development server writes them with line breaks.
  const [first, family] = /@font-face\s*\{\s*font-family:\s*([^;]+);[^}]+\}/.exec(all) ?? [];
  if (!first || !family) throw new Error(`Astro's style of ${name} has no face.`);

  const source = Buffer.from(file.slice(file.indexOf(",") + 1), "base64");
  const data = (await cut(source, characters, weight, textFeatures)).toString("base64");
  const inline = `@font-face{font-family:${family};src:url(data:font/woff2;base64,${data});font-weight:${weight};font-display:block;unicode-range:${rangesOf([...characters])}}`;
  // A face that has a character as well would be loaded too.
  const others = [...usual].filter((character) => !characters.includes(character));
  const inFile = others.length === 0 ? "" : first.replace(/unicode-range:[^;]+/, `unicode-range:${rangesOf(others)}`);

  const css = all.replace(first, inline + inFile);
  return { css, script: `document.fonts.load("${weight.slice(0, 3)} 1em ${family}")` };
}
