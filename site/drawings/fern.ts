/**
 * The geometry of a fern on a chart. The stem follows a growth curve. The leaflets on both sides of the stem, called
 * pinnae, get shorter towards its tip. The tip is rolled up and is called the crozier.
 */
type Point = readonly [x: number, y: number];

export interface Pinna {
  x: number;
  y: number;
  /** The direction of the stem where the leaflet begins, in degrees. */
  heading: number;
  above: number;
  below: number;
}

/** The y coordinate of the chart's ground, where both axes begin. */
export const ground = 456;

/** The growth curve as one cubic Bézier curve, from the origin of the chart to the start of the curled tip. */
const curve: readonly [Point, Point, Point, Point] = [
  [54, ground - 3],
  [262, 446],
  [400, 330],
  [432, 112],
];

/**
 * `stemOutline` is the shape of the stem with its rolled-up tip. `stemLine` is the middle line of that shape. The
 * animation follows this line.
 */
const crozier = fiddlehead(31, 2.1, 48);
const line = [...Array.from({ length: 36 }, (_, index) => pointAt(index / 36)), ...crozier];
export const stemLine = `M${line.map(write).join("L")}`;
/** The stem is thin at the ground, thickest a little above it, and tapers towards the tip. */
export const stemOutline = outline(line, (share) => Math.min(1, 0.15 + share * 7) * (4 * (1 - share) ** 1.3 + 0.7));

/**
 * Returns the leaflets in pairs, one above and one below the stem, from the ground to the tip. Near the ground the
 * lower leaflet is shorter.
 */
export function pinnae(count: number): Pinna[] {
  return Array.from({ length: count }, (_, index) => {
    const along = 0.22 + 0.77 * (index / (count - 1)) ** 0.92;
    const [x, y] = pointAt(along);
    const reach = 0.16 + 1 * Math.sin(Math.PI * Math.min(1, along * 0.93 + 0.04)) ** 1.25;
    const room = (ground - y) / 92;
    return {
      x: round(x),
      y: round(y),
      heading: round(headingAt(along)),
      above: round(reach, 2),
      below: round(Math.min(reach, room), 2),
    };
  });
}

/** Returns the leaflets that are still closed, drawn as circles along the fern's rolled-up tip. */
export function buds(): Bead[] {
  return beads(crozier.slice(1), -1);
}

export interface Bead {
  x: number;
  y: number;
  radius: number;
}

/** Returns circles along a spiral, on its outer side, each smaller than the one before. */
function beads(spiral: readonly Point[], outside: 1 | -1): Bead[] {
  return Array.from({ length: 13 }, (_, index) => {
    const [fromX, fromY] = spiral[index * 2] ?? [0, 0];
    const [toX, toY] = spiral[index * 2 + 2] ?? [0, 0];
    const length = Math.hypot(toX - fromX, toY - fromY);
    const radius = 3.6 - index * 0.19;
    const away = outside * (radius + 1.2 - index * 0.05);
    return {
      x: round((fromX + toX) / 2 - (away * (toY - fromY)) / length),
      y: round((fromY + toY) / 2 + (away * (toX - fromX)) / length),
      radius: round(radius, 2),
    };
  });
}

/** Returns the tops of the chart's bars, which stand at even distances and are as high as the curve. */
export function readings(count: number): Point[] {
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = pointAt(timeAt(118 + (300 * index) / (count - 1)));
    return [round(x), round(y)];
  });
}

export interface FrondShape {
  /** The number of pairs of leaflets. */
  pairs: number;
  /** The direction in which the stem begins, in degrees: 0 is to the right, -90 upwards. */
  heading: number;
  /** How far the stem turns at each pair, in degrees; negative turns it to the left. */
  bend: number;
  /** Whether the last part of the stem is still rolled up, as in a young fern, or ends in a last leaflet. */
  tip: "rolled" | "open";
}

/**
 * Returns a frond that begins at 0 0. The stretches of its stem, called internodes, turn by the same angle and shrink by
 * the same ratio, so the stem is part of a logarithmic spiral. The first internode is 40 units long.
 */
export function frond({ pairs, heading, bend, tip }: FrondShape) {
  const bare = 2;
  const nodes = walk({ point: [0, 0], heading, length: 40 }, { steps: pairs + bare, bend, ratio: 0.955 });
  const leaflets = nodes.slice(bare, -1).map(({ point: [x, y], heading: direction }, index): Pinna => {
    const reach = round(0.2 + 0.95 * Math.sin(Math.PI * (0.2 + (0.76 * index) / pairs)) ** 1.25, 2);
    return { x: round(x), y: round(y), heading: round(direction), above: reach, below: reach };
  });
  const end = nodes.at(-1) as Step;
  const spiral = walk({ ...end, length: 11 }, { steps: 32, bend: bend < 0 ? -24 : 24, ratio: 0.955 });
  const rolled = tip === "rolled" ? spiral.map(({ point }) => point) : [];
  const stem = [...nodes.map(({ point }) => point), ...rolled.slice(1)];
  const [x, y] = end.point;
  const lastLeaflet = { x: round(x), y: round(y), heading: round(end.heading), reach: tip === "open" ? 0.42 : 0 };
  return {
    stem: outline(stem, (share) => (1.5 + pairs * 0.18) * (1 - share) ** 1.3 + 0.7),
    leaflets,
    beads: tip === "rolled" ? beads(rolled, bend < 0 ? 1 : -1) : [],
    lastLeaflet,
    box: boxAround([...stem, ...leaflets.flatMap(endsOf), leafletEnd(lastLeaflet, 0, lastLeaflet.reach)]),
  };
}

function endsOf(pair: Pinna): Point[] {
  return [leafletEnd(pair, -58, pair.above), leafletEnd(pair, 58, pair.below)];
}

function leafletEnd({ x, y, heading }: { x: number; y: number; heading: number }, angle: number, reach: number): Point {
  const direction = ((heading + angle) * Math.PI) / 180;
  return [x + 100 * reach * Math.cos(direction), y + 100 * reach * Math.sin(direction)];
}

/** Returns the view box of a drawing, with room for the width of leaflets at the outermost points. */
function boxAround(points: readonly Point[]): string {
  const room = 12;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - room, Math.min(...ys) - room];
  return [left, top, Math.max(...xs) + room - left, Math.max(...ys) + room - top].map(Math.round).join(" ");
}

interface Step {
  point: Point;
  heading: number;
  length: number;
}

/** Returns the points of a stem whose internodes turn by the same angle and shrink by the same ratio. */
function walk(from: Step, { steps, bend, ratio }: { steps: number; bend: number; ratio: number }): Step[] {
  const way = [from];
  for (let index = 0; index < steps; index++) {
    const { point, heading, length } = way[index] as Step;
    const angle = (heading * Math.PI) / 180;
    const next: Point = [point[0] + length * Math.cos(angle), point[1] + length * Math.sin(angle)];
    way.push({ point: next, heading: heading + bend, length: length * ratio });
  }
  return way;
}

/**
 * The outline of one leaflet along the x axis, 100 units long. It has rounded teeth on both sides of its middle line,
 * which bends towards the tip.
 */
export const pinnaOutline = lobedLeaf(100, 12, 8.5);
export const pinnaRib = "M4 0Q55 -1 92 -8";

export function lobedLeaf(length: number, lobes: number, width: number): string {
  const step = length / lobes;
  const at = (x: number, y: number) => `${round(x)} ${round(y - 9 * (x / length) ** 2)}`;
  const reachAt = (index: number) => width * Math.sin(Math.PI * 0.62 * (1 - (index / lobes) ** 1.5)) + 0.4;
  const lobe = (index: number, side: number) => {
    const [x, reach] = [index * step, side * reachAt(index)];
    return `Q${at(x + step * 0.1, reach * 1.1)} ${at(x + step * 0.92, reach)}Q${at(x + step * 1.12, reach * 0.5)} ${at(x + step, reach * 0.24)}`;
  };
  const side = (sign: number) => Array.from({ length: lobes }, (_, index) => lobe(index, sign)).join("");
  return `M0 0${side(-1)}L${at(length + 3, 0)}M0 0${side(1)}L${at(length + 3, 0)}L0 0Z`;
}

function pointAt(t: number): Point {
  const weights = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
  const sum = (axis: 0 | 1) => curve.reduce((total, point, index) => total + point[axis] * (weights[index] ?? 0), 0);
  return [sum(0), sum(1)];
}

function headingAt(t: number): number {
  const [fromX, fromY] = pointAt(t - 0.01);
  const [toX, toY] = pointAt(t + 0.01);
  return (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
}

/** Returns the curve's parameter at a given x. Bisection is possible, because x only grows along the curve. */
function timeAt(x: number): number {
  let [low, high] = [0, 1];
  for (let halving = 0; halving < 20; halving++) {
    const middle = (low + high) / 2;
    if (pointAt(middle)[0] < x) low = middle;
    else high = middle;
  }
  return low;
}

/** Returns a spiral that begins in the curve's last direction and winds inwards. */
function fiddlehead(radius: number, turns: number, steps: number): Point[] {
  const [startX, startY] = curve[3];
  const outward = ((headingAt(1) - 90) * Math.PI) / 180;
  return Array.from({ length: steps + 1 }, (_, index) => {
    const share = index / steps;
    const angle = outward + share * turns * 2 * Math.PI;
    const reach = radius * (1 - share * 0.93) ** 0.9;
    return [
      startX - radius * Math.cos(outward) + reach * Math.cos(angle),
      startY - radius * Math.sin(outward) + reach * Math.sin(angle),
    ];
  });
}

function outline(points: readonly Point[], halfWidth: (share: number) => number): string {
  const side = (sign: number) =>
    points.map(([x, y], index): Point => {
      const [fromX, fromY] = points[index - 1] ?? [x, y];
      const [toX, toY] = points[index + 1] ?? [x, y];
      const length = Math.hypot(toX - fromX, toY - fromY);
      const width = sign * halfWidth(index / (points.length - 1));
      return [x - (width * (toY - fromY)) / length, y + (width * (toX - fromX)) / length];
    });
  return `M${[...side(1), ...side(-1).reverse()].map(write).join("L")}Z`;
}

function write([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
