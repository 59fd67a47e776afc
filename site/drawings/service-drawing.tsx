import type { ReactNode } from "react";
import type { Service, ServiceDrawingName } from "#content/services";
import type { Point } from "./fern";
import { Leaf, Nodes, RolledTip, round, Stem } from "./plant-parts";
import styles from "./strokes.module.css";

const drawings: Record<ServiceDrawingName, { Plant: () => ReactNode; width: number; height: number }> = {
  chart: { Plant: ChartFrond, width: 300, height: 350 },
  film: { Plant: FilmFrond, width: 260, height: 360 },
  runner: { Plant: Runner, width: 330, height: 270 },
  twins: { Plant: Twins, width: 260, height: 420 },
  seeds: { Plant: SeedHead, width: 320, height: 340 },
  frond: { Plant: PlainFrond, width: 260, height: 350 },
};

/** The drawing of a service: a plant that stands on the ground line, which has the y coordinate 0. */
export function ServiceDrawing({ service: { slug, drawing = "frond" } }: { service: Service }) {
  // A build does not check types. It prints this sentence for the owner of the texts (server/static-site/ensure-built.ts).
  if (!Object.hasOwn(drawings, drawing))
    throw new Error(
      `content/services.ts: the service “${slug}” has the drawing “${drawing}”, which does not exist. Choose one of ${Object.keys(drawings).join(", ")}, or remove the line.`,
    );
  const { Plant, width, height } = drawings[drawing];
  return (
    <svg
      className={styles.steady}
      viewBox={`0 ${-height} ${width} ${height}`}
      width={width}
      height={height}
      aria-hidden="true"
    >
      <Plant />
    </svg>
  );
}

/** Half frond, half bar chart: each leaflet on the left has the length of the bar on the right. */
function ChartFrond() {
  const lengths = [92, 124, 144, 132, 148, 116, 90, 60];
  const y = (index: number) => -34 - index * 30;
  return (
    <>
      <Stem d="M150 0C150 -90 150 -190 150 -297" from={9} to={4} />
      {lengths.map((length, index) => (
        <g key={length}>
          <Pinna at={[149, y(index)]} turn={-160} length={length} isBelow />
          <rect
            className={index === 4 ? styles.highlight : styles.leaf}
            x="157"
            y={y(index) - 19}
            width={length - 8}
            height="14"
          />
        </g>
      ))}
      <RolledTip at={[150, -296]} radius={27} />
      <Nodes at={["150,0", ...lengths.map((_, index) => `150,${y(index) - 12}`)].join(" ")} />
    </>
  );
}

/** The leaves are upright pictures, as on a phone: video, sound and conversation. */
function FilmFrond() {
  const play = "M20-68L46-52L20-36Z";
  return (
    <>
      <Stem d="M122 0C168 -100 70 -200 138 -308" from={9} to={4} />
      <RolledTip at={[137, -306]} turn={30} radius={25} />
      <Frame at={[133, -52]} turn={10} size={1.25}>
        <path className={styles.cut} d={play} />
      </Frame>
      <Frame at={[125, -96]} turn={-10} size={1.1} isLeft>
        <path className={styles.cutLine} d="M17-46V-56M30-38V-64M43-44V-58" />
      </Frame>
      <Frame at={[115, -176]} turn={18} size={0.86} isHighlight>
        <path className={styles.onHighlight} d={play} />
      </Frame>
      <Frame at={[111, -216]} turn={-12} size={0.72} isLeft>
        <path className={styles.cutLine} d="M17-50V-50M30-50V-50M43-50V-50" />
      </Frame>
      <Leaf at={[127, -16]} turn={-166} length={78} />
      <Nodes at="122,0" />
    </>
  );
}

/** One plant sends out a runner, which takes root and grows into the next plant. */
function Runner() {
  return (
    <>
      <Stem d="M72 -6C106 -126 176 -126 196 -4" from={6} to={5} />
      <Stem d="M196 -6C218 -88 278 -88 294 -4" from={5} to={4} />
      <Stem d="M72 0C62 -80 54 -150 78 -232" from={9} to={4} />
      <RolledTip at={[77, -230]} turn={17} radius={25} />
      <Leaf at={[67, -40]} turn={-154} length={72} />
      <Leaf at={[63, -84]} turn={-34} length={98} />
      <Leaf at={[61, -116]} turn={-146} length={70} />
      <Leaf at={[62, -150]} turn={-40} length={72} />
      <Leaf at={[65, -186]} turn={-140} length={54} />
      <Stem d="M196 0C192 -40 188 -80 200 -124" from={7} to={4} />
      <RolledTip at={[200, -122]} turn={16} radius={16} />
      <Leaf at={[193, -36]} turn={-36} length={66} />
      <Leaf at={[191, -64]} turn={-146} length={52} />
      <Leaf at={[294, 0]} turn={-66} length={62} isHighlight />
      <Leaf at={[294, 0]} turn={-128} length={44} />
      <path className={styles.line} d={[72, 196, 294].map((x) => `M${x} 0v17M${x} 0l-11 13M${x} 0l11 13`).join("")} />
      <Nodes at="72,0 196,0 294,0" />
    </>
  );
}

/** Two stems with different leaves wind round each other and end in one frond. */
function Twins() {
  return (
    <>
      <Stem d="M90 -242C90 -280 130 -290 130 -336" from={6} to={5} />
      <Stem d="M170 -242C170 -280 130 -290 130 -336" from={6} to={5} />
      <Stem d="M170 -120C170 -182 90 -182 90 -244" from={7} to={6} />
      <Stem d="M90 -120C90 -182 170 -182 170 -244" from={7} to={6} isOver />
      <Stem d="M180 0C180 -60 90 -60 90 -122" from={9} to={7} />
      <Stem d="M80 0C80 -60 170 -60 170 -122" from={9} to={7} isOver />
      <Leaf at={[82, -20]} turn={-158} length={82} />
      <Pinna at={[178, -20]} turn={-22} length={84} />
      <Pinna at={[90, -116]} turn={-158} length={90} isBelow />
      <Leaf at={[170, -116]} turn={-22} length={90} />
      <Leaf at={[90, -238]} turn={-156} length={86} />
      <Pinna at={[170, -238]} turn={-24} length={88} />
      <Leaf at={[100, -270]} turn={-140} length={66} />
      <Pinna at={[160, -270]} turn={-40} length={68} />
      <Stem d="M130 -332C130 -345 130 -355 130 -370" from={6} to={4} />
      <Leaf at={[130, -338]} turn={-142} length={58} />
      <Pinna at={[130, -338]} turn={-38} length={60} />
      <Leaf at={[130, -362]} turn={-90} length={58} broad={1.2} isHighlight />
      <Nodes at="80,0 180,0 90,-121 170,-121 90,-242 170,-242 130,-336" />
    </>
  );
}

/** A seed head whose seeds fly away. */
function SeedHead() {
  const flying: [Point, number][] = [
    [[214, -252], -14],
    [[262, -306], -34],
    [[258, -204], -2],
  ];
  return (
    <>
      <Stem d="M100 0C84 -70 90 -150 118 -222" from={7} to={4} />
      <Leaf at={[95, -24]} turn={-148} length={96} />
      <Leaf at={[92, -44]} turn={-36} length={112} />
      {Array.from({ length: 13 }, (_, index) => -54 - index * 19.5).map((turn) => (
        <g key={turn} transform={`translate(118 -226) rotate(${turn})`}>
          <path className={styles.line} d="M10 0H34" />
          <Leaf at={[32, 0]} turn={0} length={46} broad={0.62} />
        </g>
      ))}
      {flying.map(([at, turn], index) => (
        <g key={turn} transform={`translate(${at}) rotate(${turn})`}>
          <path className={styles.line} d="M-26 0H0" />
          <Leaf at={[0, 0]} turn={0} length={52} broad={0.8} isHighlight={index === 0} />
        </g>
      ))}
      <Nodes at="118,-226" radius={9} />
      <Nodes at="100,0" />
    </>
  );
}

/** A fern frond that unrolls. */
function PlainFrond() {
  const lengths = [72, 98, 110, 108, 98, 84, 68, 50, 32];
  const at = (index: number): Point => [round(112 + 0.62 * index ** 2), -34 - index * 26];
  return (
    <>
      <Stem d="M112 0C108 -90 122 -180 160 -272" from={8} to={4} />
      {lengths.map((length, index) => (
        <g key={length}>
          <Pinna at={at(index)} turn={-152 + index * 3} length={length} isBelow />
          <Pinna at={at(index)} turn={-26 + index * 3} length={length} />
        </g>
      ))}
      <RolledTip at={[160, -270]} turn={22} radius={28} />
      <Nodes at="112,0" />
    </>
  );
}

interface PinnaProps {
  at: Point;
  turn: number;
  length: number;
  /** The leaflet bends the other way. */
  isBelow?: boolean;
}

/** A leaflet of the hero's fern. */
function Pinna({ at, turn, length, isBelow = false }: PinnaProps) {
  const size = round(length / 100);
  return (
    <use
      href="#pinna"
      className={styles.leaf}
      transform={`translate(${at}) rotate(${turn}) scale(${size} ${isBelow ? -size : size})`}
    />
  );
}

interface FrameProps {
  at: Point;
  turn: number;
  size: number;
  isLeft?: boolean;
  isHighlight?: boolean;
  /** What is cut out of the picture. */
  children: ReactNode;
}

/** A leaf in the format of a phone, with two round corners. */
function Frame({ at, turn, size, isLeft = false, isHighlight = false, children }: FrameProps) {
  return (
    <g transform={`translate(${at}) rotate(${turn}) scale(${size})`}>
      <path
        className={isHighlight ? styles.highlight : styles.leaf}
        d={isLeft ? "M-2-2V-76Q-2-102-28-102H-60V-28Q-60-2-34-2Z" : "M2-2V-76Q2-102 28-102H60V-28Q60-2 34-2Z"}
      />
      <g transform={isLeft ? "translate(-61 0)" : undefined}>{children}</g>
    </g>
  );
}
