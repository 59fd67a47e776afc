/**
 * The geometry of fern fronds. The stretches of a stem between two pairs of leaflets are called internodes. They turn by
 * the same angle and shrink by the same ratio, so the stem is part of a logarithmic spiral. The leaflets are called
 * pinnae. The rolled-up tip is called the crozier.
 */
type Point = readonly [x: number, y: number];

interface Step {
  point: Point;
  /** The direction in degrees: 0 is to the right, -90 upwards. */
  heading: number;
  length: number;
}

export interface Pinna {
  x: number;
  y: number;
  /** The direction of the stem where the leaflet begins, in degrees. */
  heading: number;
  above: number;
  below: number;
}

export interface Bead {
  x: number;
  y: number;
  radius: number;
}

/** The hero's chart. `ground` is the y coordinate of its ground line, which is at its lower edge. */
export const chart = { width: 560, height: 446, ground: 445 };

/**
 * The hero's fern. `growing-fern.module.css` has the same numbers for heading, bend, ratio and the first internode's
 * length, because a page may not have style attributes; tests/e2e/landing.spec.ts compares the two.
 */
const fern = { foot: [28, chart.ground - 3] as Point, heading: -4, bend: -4.4, ratio: 0.965, length: 45, nodes: 20 };

const way = walk({ point: fern.foot, heading: fern.heading, length: fern.length }, { ...fern, steps: fern.nodes });

/** A part of the hero's fern. It is drawn from 0 0 to the right, 100 units long, and then placed. */
interface Part {
  /** The `transform` that places the part on the chart, where the browser does not do it by nested boxes. */
  place: string;
  stem: string;
}

/** Returns the internodes of the hero's fern from the ground to the crozier, with the leaflets at the start of each. */
export function internodes(): (Part & { above: number; below: number })[] {
  const bare = 2;
  const halfWidth = (index: number) => Math.min(1, 0.65 + index / 8) * (5 * (1 - index / 30) ** 1.2);
  return way.slice(0, -1).map((step, index) => {
    const scale = step.length / 100;
    const share = (index - bare) / (fern.nodes - 1 - bare);
    const reach = share < 0 ? 0 : 0.32 - 0.24 * share + 0.92 * Math.sin(Math.PI * (0.1 + share * 0.83)) ** 1.2;
    const room = (chart.ground - step.point[1]) / 92;
    return {
      place: place(step),
      stem: stretch(halfWidth(index) / scale, halfWidth(index + 1) / scale),
      above: round(reach / scale, 2),
      below: round(Math.min(reach, room) / scale, 2),
    };
  });
}

/** Returns the rolled-up tip of the hero's fern, whose leaflets are still closed. */
export function crozier(): Part & { beads: Bead[] } {
  const turns = walk({ point: [0, 0], heading: 0, length: 44 }, { steps: 42, bend: -20, ratio: 0.965 });
  const spiral = turns.map(({ point }) => point);
  return {
    place: place(way.at(-1) as Step),
    stem: outline(spiral, (share) => 6 * (1 - share) + 2.4),
    beads: beads(spiral, 1, 3.6),
  };
}

function place({ point, heading, length }: Step): string {
  return `translate(${write(point)}) rotate(${round(heading)}) scale(${round(length / 100, 3)})`;
}

/** Returns a stretch of stem that bends like the whole fern, with round ends, which hide a stronger bend between two. */
function stretch(startWidth: number, endWidth: number): string {
  const [start, end] = [round(startWidth), round(endWidth)];
  const [middle, sag] = [(startWidth + endWidth) / 2, 100 * Math.tan((-fern.bend * Math.PI) / 720)];
  const [above, below] = [round(sag - middle), round(sag + middle)];
  return `M0 ${-start}Q50 ${above} 100 ${-end}A${end} ${end} 0 0 1 100 ${end}Q50 ${below} 0 ${start}A${start} ${start} 0 0 1 0 ${-start}Z`;
}

/** Returns the tops of the chart's bars. They share its width from 20 to 515 equally and are as high as the stem. */
export function bars(count: number): Point[] {
  return Array.from({ length: count }, (_, index) => {
    const x = 20 + (495 * (index + 0.5)) / count;
    const after = way.findIndex(({ point }) => point[0] > x);
    const [from, to] = [way[after - 1]?.point ?? fern.foot, way[after]?.point ?? fern.foot];
    return [round(x), round(from[1] + ((to[1] - from[1]) * (x - from[0])) / (to[0] - from[0]))];
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

/** Returns circles along a spiral, on its outer side: leaflets that are still closed, each smaller than the last. */
function beads(spiral: readonly Point[], outside: 1 | -1, scale = 1): Bead[] {
  return Array.from({ length: 13 }, (_, index) => {
    const [fromX, fromY] = spiral[index * 2] ?? [0, 0];
    const [toX, toY] = spiral[index * 2 + 2] ?? [0, 0];
    const length = Math.hypot(toX - fromX, toY - fromY);
    const radius = scale * (3.6 - index * 0.19);
    const away = outside * (radius + scale * (1.2 - index * 0.05));
    return {
      x: round((fromX + toX) / 2 - (away * (toY - fromY)) / length),
      y: round((fromY + toY) / 2 + (away * (toX - fromX)) / length),
      radius: round(radius, 2),
    };
  });
}
