import { logos, people, screenshots } from "#content/proof";
import { buildPicture } from "./build-picture";
import type { BuiltPicture } from "./picture";

/** Makes the pictures of `content/proof.ts` small and returns them by the names of their files. */
export async function buildProofPictures(): Promise<Record<string, BuiltPicture>> {
  const wanted: [file: string | undefined, alt: string, widths: number[]][] = [
    ...people.map(({ portrait }): [string | undefined, string, number[]] => [portrait, "", [240, 480]]),
    ...logos.map(({ file, name }): [string, string, number[]] => [file, name, [160, 320]]),
    ...screenshots.map(({ file, alt }): [string, string, number[]] => [file, alt, [400, 800, 1200]]),
  ];
  const pictures: Record<string, BuiltPicture> = {};
  for (const [file, alt, widths] of wanted) {
    const built = file && (await buildPicture(file, alt, widths));
    if (built) pictures[file] = built;
  }
  return pictures;
}
