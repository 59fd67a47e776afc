/** The package `subset-font` has no types. This file describes the part of the package that this project uses. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: "truetype"; variationAxes: Record<string, number> },
  ): Promise<Buffer>;
}
