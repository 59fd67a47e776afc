import {
  type ClosedLeaflet,
  closedLeaflets,
  formatPoint,
  outline,
  type Point,
  round,
  type Step,
  stemNodes,
} from "./fern";

/**
 * The hero's chart. `ground` is the y coordinate of its ground line, which is at its lower edge. The bars share the width
 * from `barsFrom` on.
 */
export const chart = { width: 560, height: 446, ground: 445, barsFrom: 20, barsWidth: 495, barWidth: 26 };

/** The hero's fern. A bend or heading is in degrees, and each internode is shorter than the one before by `ratio`. */
const fern = { foot: [28, chart.ground - 3] as Point, heading: -4, bend: -4.4, ratio: 0.965, length: 45, nodes: 20 };

const nodes = stemNodes(
  { point: fern.foot, heading: fern.heading, length: fern.length },
  { ...fern, steps: fern.nodes },
);

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
  return nodes.slice(0, -1).map((step, index) => {
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
export function crozier(): Part & { closedLeaflets: ClosedLeaflet[] } {
  const turns = stemNodes({ point: [0, 0], heading: 0, length: 44 }, { steps: 30, bend: -20, ratio: 0.965 });
  const spiral = turns.map(({ point }) => point);
  return {
    place: place(nodes.at(-1) as Step),
    stem: outline(spiral, (share) => 6 * (1 - share) + 2.4),
    closedLeaflets: closedLeaflets(spiral, 1, 3.6),
  };
}

function place({ point, heading, length }: Step): string {
  return `translate(${formatPoint(point)}) rotate(${round(heading)}) scale(${round(length / 100, 3)})`;
}

/** Returns a stretch of stem that bends like the whole fern, with round ends, which hide the angle between two. */
function stretch(startWidth: number, endWidth: number): string {
  const [start, end] = [round(startWidth), round(endWidth)];
  const [middle, sag] = [(startWidth + endWidth) / 2, 100 * Math.tan((-fern.bend * Math.PI) / 720)];
  const [above, below] = [round(sag - middle), round(sag + middle)];
  return `M0 ${-start}Q50 ${above} 100 ${-end}A${end} ${end} 0 0 1 100 ${end}Q50 ${below} 0 ${start}A${start} ${start} 0 0 1 0 ${-start}Z`;
}

/**
 * The numbers of chart and fern as custom properties, lengths as shares of the chart's, and how long each bar holds still
 * before it rises. A page may not have style attributes, so they are in a style of their own.
 */
export function fernStyles(steps: number): string {
  const numbers = Object.entries({
    "chart-ratio": `${chart.width} / ${chart.height}`,
    "foot-x": `${fern.foot[0]} / ${chart.width}`,
    "foot-y": `${fern.foot[1]} / ${chart.height}`,
    first: `${fern.length} / ${chart.width}`,
    ratio: fern.ratio,
    heading: `${fern.heading}deg`,
    bend: `${fern.bend}deg`,
    "bars-from": `${chart.barsFrom} / ${chart.width}`,
    "bars-width": `${chart.barsWidth} / ${chart.width}`,
    "bar-width": `${chart.barWidth} / ${chart.barsWidth}`,
  }).map(([name, value]) => `--fern-${name}:${value}`);
  const holds = Array.from(
    { length: steps },
    (_, index) => `[data-bars]>:nth-child(${index + 1}){--hold:${round(0.2 + (0.6 * index) / (steps - 1), 2)}}`,
  );
  return `:root{${numbers.join(";")}}${holds.join("")}`;
}

/** Returns the tops of the chart's bars, which are as high as the stem. */
export function bars(count: number): Point[] {
  return Array.from({ length: count }, (_, index) => {
    const x = chart.barsFrom + (chart.barsWidth * (index + 0.5)) / count;
    const after = nodes.findIndex(({ point }) => point[0] > x);
    const [from, to] = [nodes[after - 1]?.point ?? fern.foot, nodes[after]?.point ?? fern.foot];
    return [round(x), round(from[1] + ((to[1] - from[1]) * (x - from[0])) / (to[0] - from[0]))];
  });
}
