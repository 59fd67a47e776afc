import { scenes } from "#content/projects";
import { pinnaOutline, pinnaRib } from "./fern";
import { Fox } from "./fox";
import { leaf } from "./leaf";
import styles from "./trail-scene.module.css";

/** A frond that begins at 0 0, points upwards and bends to the right: where its pairs of leaflets are. */
const frond = Array.from({ length: 12 }, (_, index) => {
  const along = 0.14 + (0.86 * index) / 11;
  const [x, y] = [130 * along ** 2.2, -430 * along + 40 * along ** 3];
  const heading = -90 + 34 * along ** 1.3;
  return {
    x: round(x),
    y: round(y),
    heading: round(heading),
    scale: round(1.28 * Math.sin(Math.PI * (0.2 + along * 0.76)) ** 0.9 + 0.12),
  };
});

/** The branches of a tree, which hang and get longer towards the ground. */
const branches = Array.from({ length: 9 }, (_, index) => ({
  y: -round(392 - index * 34),
  angle: 24 + index * 2,
  scale: round(0.34 + index * 0.13),
}));

const forest: readonly [x: number, y: number, scale: number][] = [
  [70, 700, 1.3],
  [250, 690, 0.9],
  [372, 690, 1.15],
  [560, 684, 0.8],
  [668, 690, 1.05],
  [800, 684, 0.74],
  [930, 690, 1.2],
  [1120, 690, 0.85],
  [1276, 690, 1.1],
  [1420, 690, 0.8],
  [1540, 700, 1.35],
];

/**
 * A forest at night, in layers, with a fox before them. The layers are placed one by one, so that each window shows all
 * animals.
 */
export function TrailScene() {
  return (
    <div className={styles.trail}>
      <div className={styles.layers} role="img" aria-label={scenes.trail.alt}>
        <svg className={styles.parts} viewBox="0 0 1 1" aria-hidden="true">
          <defs>
            <g id="trail-pinna">
              <path d={pinnaOutline} stroke="none" />
              <path d={pinnaRib} fill="none" />
            </g>
            <g id="trail-frond">
              <path d="M-7 60Q-2 -240 131 -396Q12 -230 7 60Z" stroke="none" />
              {frond.map(({ x, y, heading, scale }) => (
                <g key={y} transform={`translate(${x} ${y}) rotate(${heading}) scale(${scale})`}>
                  <use href="#trail-pinna" transform="rotate(-62) scale(1 -1.3)" />
                  <use href="#trail-pinna" transform="rotate(62) scale(1 1.3)" />
                </g>
              ))}
            </g>
            <g id="trail-tree">
              <path d="M-7 20L0 -430L7 20Z" stroke="none" />
              {branches.map(({ y, angle, scale }) => (
                <g key={y} transform={`translate(0 ${y}) scale(${scale})`}>
                  <use href="#trail-pinna" transform={`rotate(${angle}) scale(1 -1)`} />
                  <use href="#trail-pinna" transform={`scale(-1 1) rotate(${angle}) scale(1 -1)`} />
                </g>
              ))}
            </g>
          </defs>
        </svg>
        <span className={styles.moon} />
        <svg className={styles.far} viewBox="0 0 1600 800" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
          {forest.map(([x, y, scale]) => (
            <use key={x} href="#trail-tree" transform={`translate(${x} ${y}) scale(${scale})`} />
          ))}
          <path d="M0 690Q220 640 480 672T980 668T1600 676V800H0Z" stroke="none" />
        </svg>
        <svg className={styles.deer} viewBox="0 0 220 260" aria-hidden="true">
          <Deer />
        </svg>
        <svg className={styles.near} viewBox="0 0 1600 800" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
          <use href="#trail-tree" transform="translate(20 790) scale(1.9)" />
          <use href="#trail-tree" transform="translate(1580 790) scale(2)" />
          <path d="M0 742Q330 690 700 734T1240 716T1600 742V800H0Z" stroke="none" />
        </svg>
        <svg className={styles.owl} viewBox="0 0 260 200" aria-hidden="true">
          <Owl />
        </svg>
        <svg className={styles.left} viewBox="0 0 800 500" preserveAspectRatio="xMinYMax slice" aria-hidden="true">
          <use href="#trail-frond" transform="translate(-40 560) rotate(30) scale(1.5)" />
          <use href="#trail-frond" transform="translate(-10 520) rotate(-14) scale(1.1)" />
          <use href="#trail-frond" transform="translate(160 520) rotate(66) scale(1.05)" />
          <path d="M-9 250Q240 230 420 350T980 520V640H-9Z" stroke="none" />
        </svg>
        <svg className={styles.right} viewBox="0 0 520 480" aria-hidden="true">
          <use href="#trail-frond" transform="translate(520 520) rotate(-20) scale(-1.05 1.05)" />
          <use href="#trail-frond" transform="translate(510 540) rotate(10) scale(-1.3 1.3)" />
          <use href="#trail-frond" transform="translate(480 520) rotate(-56) scale(-.9 .9)" />
        </svg>
      </div>
      <div className={styles.found}>
        <span className={styles.name}>{scenes.trail.found}</span>
        <Fox />
        <svg className={styles.viewfinder} viewBox="0 0 100 100" aria-hidden="true">
          <path d="M1 14V1H14M86 1H99V14M99 86V99H86M14 99H1V86" />
        </svg>
      </div>
    </div>
  );
}

function Deer() {
  return (
    <>
      <path d="M44 134C60 112 110 116 132 112Q150 96 156 62L176 66Q180 108 152 146Q120 162 84 152Q56 152 44 134Z" />
      <path d={`${leaf(150, 66, 206, 82, 13, 8)}${leaf(158, 62, 134, 46, 6)}${leaf(48, 132, 34, 152, 5)}`} />
      <path
        d={`${leaf(142, 128, 138, 256, 7, 9)}${leaf(130, 130, 116, 256, 8)}${leaf(66, 136, 78, 256, 9)}${leaf(56, 130, 44, 256, 9, 12)}`}
      />
      <use href="#trail-pinna" transform="translate(162 64) rotate(-112) scale(.72 .8)" />
      <use href="#trail-pinna" transform="translate(166 64) rotate(-66) scale(.66 -.8)" />
    </>
  );
}

function Owl() {
  return (
    <>
      <path d="M260 146Q150 150 20 172Q130 138 260 130Z" />
      <path d={`${leaf(150, 156, 142, 40, 36)}${leaf(140, 62, 122, 30, 7)}${leaf(150, 60, 164, 28, 7)}`} />
      <path className={styles.vein} d="M147 96V150M147 112L128 100M147 128L130 116M147 112L166 100M147 128L164 116" />
      <g className={styles.eyes}>
        <circle cx="132" cy="74" r="10" />
        <circle cx="156" cy="74" r="10" />
      </g>
    </>
  );
}

function round(value: number): number {
  return Number(value.toFixed(2));
}
