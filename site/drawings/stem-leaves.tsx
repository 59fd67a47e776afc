import { lobedLeaf } from "./fern";

/** The id of the symbol that draws one piece of the stem's leaves. */
export const stemLeaves = "stem-leaves";

/** A leaf like those of the fern, 100 units long. It has fewer teeth, because the stem's leaves are smaller. */
export const toothed = lobedLeaf(100, 8, 12);
export const vein = "M6 0Q55 -1 88 -7.5";
/** A leaf for narrow margins, where teeth would be smaller than a pixel. Its vein is a slit. */
export const lens = "M0 0C24 -30 70 -34 100 0C70 26 26 24 0 0ZM14 -3L80 -3L80 3Z";

/**
 * Defines a piece of the stem's leaves, which point down. It is stretched to the width of two leaves and to its share
 * of the stem's height. There are two versions, for wide and for narrow margins.
 */
export function StemLeaves({ wide, narrow }: { wide: string | undefined; narrow: string | undefined }) {
  return (
    <symbol id={stemLeaves} viewBox="-1 0 2 1" preserveAspectRatio="none" overflow="visible">
      <g className={wide} transform={`scale(${1 / 46} ${1 / 46})`}>
        <Leaves heights={[-3, 20]} angle={33} length={46} paths={[toothed, vein]} />
        <Leaves heights={[8.5, 31.5]} angle={33} length={46} paths={[toothed, vein]} onLeft />
      </g>
      <g className={narrow} transform={`scale(${1 / 9} ${1 / 46})`}>
        <Leaves heights={[0, 15.3, 30.7]} angle={30} length={9} paths={[lens]} />
        <Leaves heights={[0, 15.3, 30.7]} angle={30} length={9} paths={[lens]} onLeft />
      </g>
    </symbol>
  );
}

interface LeavesProps {
  /** Where the leaves begin. */
  heights: readonly number[];
  /** How far they point down, in degrees. */
  angle: number;
  length: number;
  paths: readonly string[];
  onLeft?: boolean;
}

function Leaves({ heights, angle, length, paths, onLeft = false }: LeavesProps) {
  const size = length / 100;
  return heights.map((height) => (
    <g
      key={height}
      transform={`translate(0 ${height}) scale(${onLeft ? -size : size} ${size}) rotate(${angle}) scale(1 -1)`}
    >
      {paths.map((path) => (
        <path key={path} d={path} />
      ))}
    </g>
  ));
}
