/** The geometry of a fern on a chart: a stem that follows a growth curve, and pinnae that shorten towards its tip. */
export interface Pinna {
  x: number;
  y: number;
  /** The stem's direction at its foot, in degrees. */
  heading: number;
  scale: number;
}

type Point = readonly [x: number, y: number];

/** The growth curve as one cubic, from the origin of the chart up to where the tip begins to curl. */
const curve: readonly [Point, Point, Point, Point] = [
  [78, 452],
  [250, 440],
  [372, 330],
  [424, 132],
];

export const stem = `M${curve[0].join(" ")}C${curve
  .slice(1)
  .map((point) => point.join(" "))
  .join(" ")}`;

/** A fiddlehead: a spiral that begins in the curve's last direction and winds inwards. */
export const fiddlehead = spiral(curve[3], headingAt(1), 44, 2.1);

/** Pairs of pinnae from the foot to the tip; the longest sit a quarter of the way up, as on a real frond. */
export function pinnae(count: number): Pinna[] {
  return Array.from({ length: count }, (_, index) => {
    const along = 0.13 + (0.85 * index) / (count - 1);
    const [x, y] = pointAt(along);
    const swell = Math.sin(Math.PI * Math.min(1, 0.24 + along * 0.8) ** 0.9);
    return { x: round(x), y: round(y), heading: round(headingAt(along)), scale: round(0.2 + 0.92 * swell, 2) };
  });
}

/** Where a chart would mark its readings. */
export function readings(count: number): Point[] {
  return Array.from({ length: count }, (_, index) => {
    const [x, y] = pointAt(0.2 + (0.72 * index) / (count - 1));
    return [round(x), round(y)];
  });
}

/** One pinna along the x axis, 100 long: lobes on both sides of a midrib, each a little shorter than the last. */
export const pinnaOutline = lobedLeaf(100, 9, 15);

function lobedLeaf(length: number, lobes: number, width: number): string {
  const step = length / lobes;
  const half = (side: 1 | -1) =>
    Array.from({ length: lobes }, (_, index) => {
      const reach = width * (1 - index / lobes) ** 0.8 * (index === 0 ? 0.8 : 1);
      const tip = `q${round(step * 0.5)} ${round(-side * reach * 1.5)} ${round(step * 1.25)} ${round(-side * reach)}`;
      const notch = `q${round(step * 0.1)} ${round(side * reach * 0.6)} ${round(-step * 0.25)} ${round(side * reach * 0.86)}`;
      return `${tip}${notch}`;
    }).join("");
  return `M0 0${half(1)}L${length} 0M0 0${half(-1)}L${length} 0Z`;
}

function pointAt(t: number): Point {
  const weights = [(1 - t) ** 3, 3 * (1 - t) ** 2 * t, 3 * (1 - t) * t ** 2, t ** 3];
  const sum = (axis: 0 | 1) => curve.reduce((total, point, index) => total + point[axis] * (weights[index] ?? 0), 0);
  return [sum(0), sum(1)];
}

function headingAt(t: number): number {
  const [fromX, fromY] = pointAt(Math.max(0, t - 0.01));
  const [toX, toY] = pointAt(Math.min(1, t + 0.01));
  return (Math.atan2(toY - fromY, toX - fromX) * 180) / Math.PI;
}

function spiral([startX, startY]: Point, heading: number, radius: number, turns: number): string {
  const steps = 40;
  const outward = ((heading - 90) * Math.PI) / 180;
  const centre: Point = [startX - radius * Math.cos(outward), startY - radius * Math.sin(outward)];
  const points = Array.from({ length: steps + 1 }, (_, index) => {
    const share = index / steps;
    const angle = outward + share * turns * 2 * Math.PI;
    const reach = radius * (1 - share) ** 0.85;
    return `${round(centre[0] + reach * Math.cos(angle))} ${round(centre[1] + reach * Math.sin(angle))}`;
  });
  return `M${points.join("L")}`;
}

function round(value: number, digits = 1): number {
  return Number(value.toFixed(digits));
}
