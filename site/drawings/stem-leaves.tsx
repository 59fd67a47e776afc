import type { ReactNode } from "react";
import { lobedLeaf } from "./fern";
import { placePath } from "./place-path";

/** The id of the symbol that draws one piece of the stem's leaves. */
export const stemLeaves = "stem-leaves";

/** A leaf like those of the fern, 100 units long. It has fewer and larger teeth, because the stem's leaves are smaller. */
export const toothedLeafOutline = lobedLeaf(100, 8, 13);
export const toothedLeafRib = "M6 0Q55 -1 88 -7.5";
/** A leaf for narrow margins, where teeth would be smaller than a pixel. Its vein is a slit. */
export const smallLeafOutline = "M0 0C24 -30 70 -34 100 0C70 26 26 24 0 0ZM14 -3L80 -3L80 3Z";

/**
 * Defines a piece of the stem's leaves, which point down. In a wide margin it has two pairs of large leaves, in a narrow
 * one five pairs of small ones. The pairs share the height of the piece, and each is as large as its width allows.
 */
export function StemLeaves({ wide, narrow }: { wide: string | undefined; narrow: string | undefined }) {
  const [outline, rib, small] = [toothedLeafOutline, toothedLeafRib, smallLeafOutline].map((path) => pair(path));
  return (
    <symbol id={stemLeaves} overflow="visible">
      <g className={wide}>
        {["scale(1)", "translate(0 24)scale(-.92 .96)"].map((transform, index) => (
          <Pair key={transform} y={`${6 + 50 * index}%`}>
            <path d={outline} transform={transform} />
            <path d={rib} transform={transform} />
          </Pair>
        ))}
      </g>
      <g className={narrow}>
        {[0, 20, 40, 60, 80].map((y) => (
          <Pair key={y} y={`${y}%`}>
            <path d={small} />
          </Pair>
        ))}
      </g>
    </symbol>
  );
}

/** Its view box is as wide as two leaves. The height has only to be larger than what the width allows. */
function Pair({ y, children }: { y: string; children: ReactNode }) {
  return (
    <svg
      y={y}
      height="999"
      viewBox="-500 0 1000 1"
      preserveAspectRatio="xMidYMin"
      overflow="visible"
      aria-hidden="true"
    >
      {children}
    </svg>
  );
}

/** The two leaves differ a little, and the left one begins lower. */
function pair(path: string): string {
  const right = placePath(path, { turn: 32, scale: 5, isFlipped: true });
  return right + placePath(path, { y: 40, turn: 36, scale: 4.8, isFlipped: true, isOnLeft: true });
}
