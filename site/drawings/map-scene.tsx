import { scenes } from "#content/projects";
import { leafPath } from "./leaf-path";
import styles from "./map-scene.module.css";
import strokes from "./strokes.module.css";

/** A country that is a leaf, between two neighbours. Its veins are rivers, and a pin marks its capital. */
export function MapScene() {
  return (
    <svg
      className={styles.map}
      viewBox="0 0 560 520"
      preserveAspectRatio="xMidYMid slice"
      role="img"
      aria-label={scenes.map.alt}
    >
      <path
        className={styles.grid}
        d="M-99 90Q280 20 659 90M-99 230Q280 170 659 230M-99 370Q280 320 659 370M110 -99Q60 260 110 619M280 -99V619M450 -99Q500 260 450 619"
      />
      <path className={styles.neighbours} transform="translate(-80 420) rotate(-64)" d={country} />
      <path className={styles.neighbours} transform="translate(400 640) rotate(-40)" d={country} />
      <g transform="translate(66 452) rotate(-40)">
        <path className={strokes.leaf} d={country} />
        <path className={strokes.rib} d={`M-26 0H440${rivers}`} />
      </g>
      <Flag x={118} y={262} />
      <Flag x={452} y={318} leafy />
      <g className={styles.pin} transform="translate(262 292)">
        <path d="M0 0C-8 -30 -38 -44 -38 -80A38 38 0 0 1 38 -80C38 -44 8 -30 0 0Z" />
        <circle cy="-80" r="17" />
      </g>
    </svg>
  );
}

/** The outline of the leaf along the x axis: lobes on both sides, as of an oak, that get smaller towards both ends. */
const lobes = [36, 78, 104, 108, 92, 64, 32];
const side = (sign: number) =>
  lobes.map((reach, index) => {
    const x = index * 64;
    const notch = sign * (lobes[index + 1] ?? 0) * 0.62;
    return `C${x + 6} ${sign * reach * 1.25} ${x + 52} ${sign * reach * 1.3} ${x + 64} ${notch}`;
  });
const country = `M0 0${side(-1).join("")}M0 0${side(1).join("")}L0 0Z`;
const rivers = lobes
  .slice(1, -1)
  .map((reach, index) => {
    const x = 30 + index * 64;
    return `M${x} 0L${x + 56} ${-reach * 0.72}M${x} 0L${x + 56} ${reach * 0.72}`;
  })
  .join("");

function Flag({ x, y, leafy }: { x: number; y: number; leafy?: true }) {
  return (
    <g transform={`translate(${x} ${y})`}>
      <path className={styles.cloth} d="M0 -108C22 -122 44 -94 78 -108V-58C44 -44 22 -72 0 -58Z" />
      {leafy ? (
        <path className={styles.sign} d={leafPath(28, -70, 54, -98, 8)} />
      ) : (
        <path className={styles.sign} d="M0 -92C22 -106 44 -78 78 -92V-75C44 -61 22 -89 0 -75Z" />
      )}
      <path className={styles.pole} d="M0 0V-112" />
      <circle className={styles.foot} r="5" />
    </g>
  );
}
