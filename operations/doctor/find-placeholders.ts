import { readFile } from "node:fs/promises";
import { placeholders } from "#content/placeholders";

export interface Placeholder {
  /** File and line. */
  location: string;
  text: string;
  advice: string;
}

const folder = new URL("../../content/", import.meta.url);

/** The texts of `content/placeholders.ts` that their files still have. An owner may have removed a file. */
export async function findPlaceholders(): Promise<Placeholder[]> {
  const found = Object.entries(placeholders).map(async ([file, entries]) => {
    const lines = (await readFile(new URL(file, folder), "utf8").catch(() => "")).split("\n");
    return entries.flatMap(([text, advice]) => {
      const index = lines.findIndex((line) => line.includes(text));
      return index === -1 ? [] : [{ location: `content/${file}:${index + 1}`, text, advice }];
    });
  });
  return (await Promise.all(found)).flat();
}
