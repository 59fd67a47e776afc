/**
 * The geometry of fern fronds. The stretches of a stem between two pairs of leaflets are called internodes. They turn by
 * the same angle and shrink by the same ratio, so the stem is part of a logarithmic spiral. The leaflets are called
 * pinnae. The rolled-up tip is called the crozier.
 */
export type Point = readonly [x: number, y: number];

export interface Step {
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
  /** Its length in hundreds of units. */
  reach: number;
}

export interface ClosedLeaflet {
  x: number;
  y: number;
  radius: number;
}

export interface FrondShape {
  /** The number of pairs of leaflets. */
  pairs: number;
  /** The direction in which the stem begins, in degrees: 0 is to the right, -90 upwards. */
  heading: number;
  /** How far the stem turns at each pair, in degrees; negative turns it to the left. */
  bend: number;
}

/** Returns a frond that begins at 0 0. Its first internode is 40 units long, and the end of its stem is still rolled up. */
export function frond({ pairs, heading, bend }: FrondShape) {
  const bare = 2;
  const nodes = stemNodes({ point: [0, 0], heading, length: 40 }, { steps: pairs + bare, bend, ratio: 0.955 });
  const leaflets = nodes.slice(bare, -1).map(({ point: [x, y], heading: direction }, index): Pinna => {
    const reach = round(0.2 + 0.95 * Math.sin(Math.PI * (0.2 + (0.76 * index) / pairs)) ** 1.25, 2);
    return { x: round(x), y: round(y), heading: round(direction), reach };
  });
  const end = nodes.at(-1) as Step;
  const spiral = stemNodes({ ...end, length: 11 }, { steps: 26, bend: bend < 0 ? -24 : 24, ratio: 0.955 });
  const rolled = spiral.map(({ point }) => point);
  const stem = [...nodes.map(({ point }) => point), ...rolled.slice(1)];
  return {
    stem: outline(stem, (share) => (1.5 + pairs * 0.18) * (1 - share) ** 1.3 + 0.7),
    leaflets,
    closedLeaflets: closedLeaflets(rolled, bend < 0 ? 1 : -1),
    box: boxAround([...stem, ...leaflets.flatMap(endsOf)]),
  };
}

/** The tips of a pair of leaflets. */
function endsOf({ x, y, heading, reach }: Pinna): Point[] {
  return [-58, 58].map((angle): Point => {
    const direction = ((heading + angle) * Math.PI) / 180;
    return [x + 100 * reach * Math.cos(direction), y + 100 * reach * Math.sin(direction)];
  });
}

/** Returns the view box of a drawing, with room for the width of leaflets at the outermost points. */
function boxAround(points: readonly Point[]): string {
  const room = 12;
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - room, Math.min(...ys) - room];
  return [left, top, Math.max(...xs) + room - left, Math.max(...ys) + room - top].map(Math.round).join(" ");
}

/** Returns the points of a stem whose internodes turn by the same angle and shrink by the same ratio. */
export function stemNodes(from: Step, { steps, bend, ratio }: { steps: number; bend: number; ratio: number }): Step[] {
  const nodes = [from];
  for (let index = 0; index < steps; index++) {
    const { point, heading, length } = nodes[index] as Step;
    const angle = (heading * Math.PI) / 180;
    const next: Point = [point[0] + length * Math.cos(angle), point[1] + length * Math.sin(angle)];
    nodes.push({ point: next, heading: heading + bend, length: length * ratio });
  }
  return nodes;
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

export function outline(points: readonly Point[], halfWidth: (share: number) => number): string {
  const side = (sign: number) =>
    points.map(([x, y], index): Point => {
      const [fromX, fromY] = points[index - 1] ?? [x, y];
      const [toX, toY] = points[index + 1] ?? [x, y];
      const length = Math.hypot(toX - fromX, toY - fromY);
      const width = sign * halfWidth(index / (points.length - 1));
      return [x - (width * (toY - fromY)) / length, y + (width * (toX - fromX)) / length];
    });
  return `M${[...side(1), ...side(-1).reverse()].map(formatPoint).join("L")}Z`;
}

export function formatPoint([x, y]: Point): string {
  return `${round(x)} ${round(y)}`;
}

export function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}

/** Returns circles along a spiral, on its outer side: leaflets that are still closed, each smaller than the last. */
export function closedLeaflets(spiral: readonly Point[], outside: 1 | -1, scale = 1): ClosedLeaflet[] {
  return Array.from({ length: 12 }, (_, index) => {
    const [fromX, fromY] = spiral[index * 2] ?? [0, 0];
    const [toX, toY] = spiral[index * 2 + 2] ?? [0, 0];
    const length = Math.hypot(toX - fromX, toY - fromY);
    const radius = scale * (3.6 - index * 0.19);
    const away = outside * (radius + scale * (1.2 - index * 0.05));
    return {
      x: round((fromX + toX) / 2 - (away * (toY - fromY)) / length),
      y: round((fromY + toY) / 2 + (away * (toX - fromX)) / length),
      radius: round(radius),
    };
  });
}
