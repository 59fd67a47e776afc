import { scenes } from "#content/projects";
import { round } from "./fern";
import styles from "./forest-layers.module.css";
import { leafPath } from "./leaf-path";
import strokes from "./strokes.module.css";

/** A frond that begins at 0 0, points upwards and bends to the right: where its pairs of leaflets are. */
const frondLeaflets = Array.from({ length: 9 }, (_, index) => {
  const along = 0.14 + (0.86 * index) / 8;
  const [x, y] = [130 * along ** 2.2, -430 * along + 40 * along ** 3];
  const heading = -90 + 34 * along ** 1.3;
  return {
    x: Math.round(x),
    y: Math.round(y),
    heading: Math.round(heading),
    scale: round(1.28 * Math.sin(Math.PI * (0.2 + along * 0.76)) ** 0.9 + 0.12, 2),
  };
});

/** The branches of a tree, which hang and get longer towards the ground. */
const branches = Array.from({ length: 9 }, (_, index) => ({
  y: -(392 - index * 34),
  angle: 24 + index * 2,
  scale: round(0.34 + index * 0.13, 2),
}));

const forest: readonly [x: number, y: number, scale: number][] = [
  [70, 700, 1.3],
  [610, 684, 0.8],
  [720, 690, 1.1],
  [970, 690, 1.3],
  [1120, 690, 0.85],
  [1276, 690, 1.1],
  [1420, 690, 0.8],
  [1540, 700, 1.35],
];

/** A forest at night, in layers that pass at different speeds when the page scrolls. */
export function ForestLayers() {
  return (
    <div className={`screen-only ${styles.layers}`} role="img" aria-label={scenes.trail.alt}>
      <svg className={styles.far} viewBox="0 0 1600 800" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
        <Definitions />
        {forest.map(([x, y, scale]) => (
          <use key={x} href="#trail-tree" transform={`translate(${x} ${y}) scale(${scale})`} />
        ))}
        <path d="M0 690Q220 640 480 672T980 668T1600 676V800H0Z" />
      </svg>
      <svg className={styles.near} viewBox="0 0 1600 800" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
        <use href="#trail-tree" transform="translate(1570 790) scale(1.3)" />
        <path d="M0 760C300 740 560 704 840 706S1300 736 1600 742V820H0Z" />
      </svg>
      <svg className={styles.owl} viewBox="0 0 260 200" aria-hidden="true">
        <Owl />
      </svg>
      <svg className={styles.left} viewBox="0 0 800 500" preserveAspectRatio="xMinYMax slice" aria-hidden="true">
        <path d="M-9 190C170 180 370 206 440 290S520 430 600 500V640H-9Z" />
      </svg>
      <svg className={styles.right} viewBox="0 0 520 480" aria-hidden="true">
        <use href="#trail-frond" transform="translate(520 520) rotate(-20) scale(-1.05 1.05)" />
        <use href="#trail-frond" transform="translate(510 540) rotate(10) scale(-1.3 1.3)" />
        <use href="#trail-frond" transform="translate(480 520) rotate(-56) scale(-.9 .9)" />
      </svg>
    </div>
  );
}

function Definitions() {
  return (
    <defs>
      <g id="trail-frond">
        <path d="M-7 60Q-2 -240 131 -396Q12 -230 7 60Z" />
        {frondLeaflets.map(({ x, y, heading, scale }) => (
          <g key={y} transform={`translate(${x} ${y}) rotate(${heading}) scale(${scale})`}>
            <use href="#pinna" transform="rotate(-62) scale(1 -1.3)" />
            <use href="#pinna" transform="rotate(62) scale(1 1.3)" />
          </g>
        ))}
      </g>
      <g id="trail-tree">
        <path d="M-7 20L0 -430L7 20Z" />
        {branches.map(({ y, angle, scale }) => (
          <g key={y} transform={`translate(0 ${y}) scale(${scale})`}>
            <use href="#pinna" transform={`rotate(${angle}) scale(1 -1)`} />
            <use href="#pinna" transform={`scale(-1 1) rotate(${angle}) scale(1 -1)`} />
          </g>
        ))}
      </g>
    </defs>
  );
}

function Owl() {
  return (
    <>
      <path d="M260 146Q150 150 20 172Q130 138 260 130Z" />
      <path d={`${leafPath(150, 156, 142, 40, 36)}${leafPath(140, 62, 122, 30, 7)}${leafPath(150, 60, 164, 28, 7)}`} />
      <path className={strokes.rib} d="M147 96V150M147 112L128 100M147 128L130 116M147 112L166 100M147 128L164 116" />
      <g className={styles.eyes}>
        <circle cx="131" cy="74" r="9" />
        <circle cx="157" cy="74" r="9" />
      </g>
    </>
  );
}
