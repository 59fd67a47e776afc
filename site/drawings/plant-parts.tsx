import type { Point } from "./fern";
import styles from "./strokes.module.css";

interface LeafProps {
  /** Where the leaf is joined to its stem. */
  at: Point;
  /** The direction of the leaf in degrees: 0 is right, -90 is up. */
  turn: number;
  length: number;
  /** A broad leaf has a number above 1. */
  broad?: number;
  isHighlight?: boolean;
}

/** A filled leaf with a vein in the colour of the ground, as in a linocut. */
export function Leaf({ at, turn, length, broad = 1, isHighlight = false }: LeafProps) {
  const size = length / 100;
  return (
    <g transform={`translate(${at}) rotate(${turn}) scale(${round(size)} ${round(size * broad)})`}>
      <path className={isHighlight ? styles.highlight : styles.leaf} d="M0 0C18-26 62-31 100-4C70 25 24 24 0 0Z" />
      <path
        className={isHighlight ? styles.onHighlight : styles.vein}
        d={length < 60 ? midrib : `${midrib}${sideVeins}`}
      />
    </g>
  );
}

const midrib = "M9-1Q50-5 88-4";
const sideVeins = "M30-3L44-14M30-3L46 7M48-4L62-15M48-4L64 5M66-4L77-12M66-4L79 2";

interface RolledTipProps {
  /** The end of the stem whose tip is rolled up. */
  at: Point;
  /** The direction of the stem there in degrees: 0 is up, 90 is right. */
  turn?: number;
  radius: number;
  /** Rolls to the left instead of to the right. */
  isMirrored?: boolean;
}

/** The rolled-up tip of a frond, with the leaflets that are still closed. */
export function RolledTip({ at, turn = 0, radius, isMirrored = false }: RolledTipProps) {
  const size = round(radius / 30);
  return (
    <path
      className={styles.leaf}
      transform={`translate(${at}) rotate(${turn}) scale(${isMirrored ? -size : size} ${size})`}
      d={rolledTipPath}
    />
  );
}

/** Hollow circles, as on the axes of the hero's chart. `at` has the format of the points of a polygon: "x,y x,y". */
export function Nodes({ at, radius = 5 }: { at: string; radius?: number }) {
  return at.split(" ").map((point) => {
    const [x, y] = point.split(",");
    return <circle key={point} className={styles.node} cx={x} cy={y} r={radius} />;
  });
}

interface StemProps {
  /** One cubic Bézier curve in the format of a path: "M0 0C0-30 10-60 20-90". */
  d: string;
  /** The widths of the first and the last point. */
  from?: number;
  to?: number;
  /** A gap on both sides shows that the stem crosses over another. */
  isOver?: boolean;
}

/** A stem that gets thinner along a curve. */
export function Stem({ d, from = 7, to = 3, isOver = false }: StemProps) {
  const points = Array.from(d.matchAll(/(-?\d+)[ ,]*(-?\d+)/g), ([, x, y]): Point => [Number(x), Number(y)]);
  const [start, first, second, end] = points as [Point, Point, Point, Point];
  const [atStart, atEnd] = [normal(start, first, from / 2), normal(second, end, to / 2)];
  const between = normal(first, second, (from + to) / 4);
  const side = (sign: number) => [
    move(start, atStart, sign),
    move(first, between, sign),
    move(second, between, sign),
    move(end, atEnd, sign),
  ];
  const [a, b, c, e] = side(1);
  const [i, h, g, f] = side(-1);
  return <path className={isOver ? styles.over : styles.leaf} d={`M${a}C${b} ${c} ${e}L${f}C${g} ${h} ${i}Z`} />;
}

/** A spiral from (0, 0) that begins upwards and winds to the right, 60 units wide and ever thinner. */
const rolledTipPath = (() => {
  const centre = 30;
  const at = (share: number, away: number): Point => {
    const angle = Math.PI * (1 + 3.4 * share);
    const reach = centre * (1 - 0.9 * share) ** 0.9 + away;
    return [round(centre + reach * Math.cos(angle)), round(reach * Math.sin(angle))];
  };
  const steps = Array.from({ length: 33 }, (_, index) => index / 32);
  const side = (sign: number) => steps.map((share) => at(share, sign * (1.9 * (1 - share) + 0.8)).join(" "));
  const buds = Array.from({ length: 8 }, (_, index) => {
    const radius = round(3.3 - index * 0.22);
    const [x, y] = at(0.08 + index * 0.052, radius + 1.6);
    const half = `a${radius} ${radius} 0 0 1`;
    return `M${round(x - radius)} ${y}${half} ${2 * radius} 0${half} ${-2 * radius} 0Z`;
  });
  return `M${[...side(1), ...side(-1).reverse()].join("L")}Z${buds.join("")}`;
})();

function normal([fromX, fromY]: Point, [toX, toY]: Point, length: number): Point {
  const scale = length / Math.hypot(toX - fromX, toY - fromY);
  return [(toY - fromY) * scale, (fromX - toX) * scale];
}

function move([x, y]: Point, [byX, byY]: Point, sign: number): string {
  return `${round(x + sign * byX, 1)} ${round(y + sign * byY, 1)}`;
}

export function round(value: number, digits = 2): number {
  return Number(value.toFixed(digits));
}
