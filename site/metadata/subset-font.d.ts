/** The package brings no types of its own. */
declare module "subset-font" {
  export default function subsetFont(
    font: Buffer,
    text: string,
    options: { targetFormat: "sfnt" | "truetype" | "woff2"; variationAxes?: Record<string, number> },
  ): Promise<Buffer>;
}
