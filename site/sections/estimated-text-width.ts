/** In em. A headline of such lines fits in a window of 320 px and in its columns on wider ones. */
const headlineWidthMax = 9.2;

/** Whether a line of the headline is so wide that its letters must be smaller, and it may break. */
export function isLongHeadline(lines: readonly string[]): boolean {
  return lines.some((line) => widthOf(line) > headlineWidthMax);
}

/** A word that is too long for a phone's window makes the whole claim smaller. */
export function sizeOfClaim(claim: string): "huge" | "large" {
  return claim.split(" ").every((word) => widthOf(word) < 4.4) ? "huge" : "large";
}

/** The size at which a figure fills its line and still fits. */
export function sizeOfFigure(figure: string): "huge" | "large" | "medium" {
  const width = widthOf(figure);
  return width < 3.8 ? "huge" : width < 5.4 ? "large" : "medium";
}

/** The usual width of a text in Fraunces, in em and without letter spacing. */
export function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + widthOfCharacter(character), 0);
}

function widthOfCharacter(character: string): number {
  if (/[fijlrt.,’ ]/.test(character)) return 0.29;
  if (/[mwMW%]/.test(character)) return 0.92;
  return /[A-Z]/.test(character) ? 0.73 : 0.57;
}
