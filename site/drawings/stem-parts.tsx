import type { ReactNode } from "react";
import { lobedLeaf } from "./fern";
import styles from "./strokes.module.css";

/** The id of the symbol that draws one piece of the stem's leaves. */
export const stemLeaves = "stem-leaves";

/** A leaf like those of the fern, 100 units long. It has fewer and larger teeth, because the stem's leaves are smaller. */
const toothedLeafOutline = lobedLeaf(100, 8, 13);
const toothedLeafRib = "M6 0Q55 -1 88 -7.5";
/** A leaf for narrow margins, where teeth would be smaller than a pixel. Its vein is a slit. */
const smallLeafOutline = "M0 0C24 -30 70 -34 100 0C70 26 26 24 0 0ZM14 -3L80 -3L80 3Z";

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
            <path d={rib} transform={transform} className={styles.vein} />
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

/** The view box is as wide as two leaves. The height is so large that the width alone sets the scale. */
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
  return placePath(path, { turn: 32, scale: 5 }) + placePath(path, { y: 40, turn: 36, scale: 4.8, isOnLeft: true });
}

interface Placing {
  y?: number;
  /** In degrees. */
  turn: number;
  scale: number;
  /** Mirrors the turned shape at the y axis. */
  isOnLeft?: boolean;
}

/**
 * Returns the path mirrored at its own x axis, then turned, scaled and moved down. Several shapes become one path this way, which is much
 * cheaper for a browser than an element for each. The path must have absolute commands of x y pairs only. The result has
 * whole numbers.
 */
function placePath(path: string, { y = 0, turn, scale, isOnLeft }: Placing): string {
  const angle = (turn * Math.PI) / 180;
  const [cos, sin] = [scale * Math.cos(angle), scale * Math.sin(angle)];
  return path.replaceAll(/(-?[\d.]+) (-?[\d.]+)/g, (_, px, py) => {
    const [fromX, fromY] = [Number(px), -Number(py)];
    const along = cos * fromX - sin * fromY;
    return `${Math.round(isOnLeft ? -along : along)} ${Math.round(y + sin * fromX + cos * fromY)}`;
  });
}

/** One leaf of the stem. It points to the right. */
export function ToothedLeaf({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 -21 104 42" aria-hidden="true">
      <path d={toothedLeafOutline} className={styles.leaf} />
      <path d={toothedLeafRib} className={styles.vein} />
    </svg>
  );
}

/** Two leaves on both sides of a stem that grows down. Their veins are slits. */
export function SmallLeafPair({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="-100 -30 200 100" fillRule="evenodd" aria-hidden="true">
      <path d={smallLeafOutline} transform="rotate(30) scale(1 -1)" />
      <path d={smallLeafOutline} transform="scale(-1 1) rotate(30) scale(1 -1)" />
    </svg>
  );
}

/** Lines with their widths. They come from above in the middle and wind to the right. */
const lines: readonly [width: number, path: string][] = [
  [4.8, "M20 0V18A11 11 0 0 0 42 18"],
  [3.6, "M42 18A9 9 0 0 0 24 18"],
  [2.8, "M24 18A6.5 6.5 0 0 0 37 18A4 4 0 0 0 30 17"],
];

/** The rolled-up tip of a stem that grows down. */
export function StemTip({ className }: { className?: string | undefined }) {
  return (
    <svg className={className} viewBox="0 0 40 40" fill="none" strokeLinecap="round" aria-hidden="true">
      {lines.map(([width, path]) => (
        <path key={path} d={path} strokeWidth={width} />
      ))}
    </svg>
  );
}
