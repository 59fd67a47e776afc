import { lobedLeaf } from "./fern";
import { placePath } from "./place-path";

/** The id of the symbol that draws one piece of the stem's leaves. */
export const stemLeaves = "stem-leaves";

/** A leaf like those of the fern, 100 units long. It has fewer teeth, because the stem's leaves are smaller. */
export const toothed = lobedLeaf(100, 8, 12);
export const vein = "M6 0Q55 -1 88 -7.5";
/** A leaf for narrow margins, where teeth would be smaller than a pixel. Its vein is a slit. */
export const lens = "M0 0C24 -30 70 -34 100 0C70 26 26 24 0 0ZM14 -3L80 -3L80 3Z";

/**
 * Defines a piece of the stem's leaves, which point down. It is stretched to the width of two leaves and to its share
 * of the stem's height. There are two versions: for wide margins, with leaves of 46 px, and for narrow ones, with 9 px.
 * Both are drawn in tenths of a pixel for a piece of 46 px. A piece is few elements, because a page has many.
 */
export function StemLeaves({ wide, narrow }: { wide: string | undefined; narrow: string | undefined }) {
  const wideLeaves = (path: string) =>
    [-30, 200].map((y) => leaf(path, 460, 33, y) + leaf(path, 460, 33, y + 115, true)).join("");
  const narrowLeaves = [0, 153, 307].map((y) => leaf(lens, 90, 30, y) + leaf(lens, 90, 30, y, true)).join("");
  return (
    <symbol id={stemLeaves} viewBox="-1 0 2 1" preserveAspectRatio="none" overflow="visible">
      <g className={wide}>
        <path d={wideLeaves(toothed)} transform={`scale(${1 / 460})`} />
        <path d={wideLeaves(vein)} transform={`scale(${1 / 460})`} />
      </g>
      <path className={narrow} d={narrowLeaves} transform={`scale(${1 / 90} ${1 / 460})`} />
    </symbol>
  );
}

function leaf(path: string, length: number, turn: number, y: number, isOnLeft = false): string {
  return placePath(path, { y, turn, scale: length / 100, isFlipped: true, isOnLeft });
}
