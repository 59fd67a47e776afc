import { readFileSync } from "node:fs";

/** A change of a file as docs/making-it-yours.md shows it. A file that is new has no text `before`. */
export interface DocumentedEdit {
  file: string;
  before: string;
  after: string;
}

const page = new URL("../../docs/making-it-yours.md", import.meta.url);

/** Reads each block of the page, in order. A block belongs to the file of `content/` that was named last before it. */
export function readDocumentedEdits(): DocumentedEdit[] {
  const text = readFileSync(page, "utf8");
  return [...text.matchAll(/^```(diff|svg|md)\n(.*?)^```$/gms)].map(({ 1: kind, 2: block = "", index }) => {
    const named = [...text.slice(0, index).matchAll(/`(content\/[\w/.-]+\.\w+)`/g)];
    const file = named.at(-1)?.[1] ?? "";
    if (kind !== "diff") return { file, before: "", after: block };
    const lines = block.trimEnd().split("\n");
    const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).map((line) => line.slice(1));
    return { file, before: without("+").join("\n"), after: without("-").join("\n") };
  });
}

/** Returns the text of the file after the edit. The old lines must be there, once. */
export function applyEdit({ file, before, after }: DocumentedEdit, text: string): string {
  if (before === "") return after;
  const count = text.split(before).length - 1;
  if (count !== 1)
    throw new Error(`docs/making-it-yours.md changes lines that are ${count} times in ${file}:\n${before}`);
  return text.replace(before, () => after);
}
