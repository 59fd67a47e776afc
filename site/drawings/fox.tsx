import { pinnaOutline, pinnaRib } from "./fern";
import { leaf } from "./leaf";
import styles from "./trail-scene.module.css";

/** A sitting fox that looks at the visitor. Ears, cheeks, legs and tail are leaves; fine lines are their veins. */
export function Fox() {
  return (
    <svg className={styles.fox} viewBox="0 0 320 320" aria-hidden="true">
      <g transform="translate(196 300) rotate(-46) scale(1.75 3.5)">
        <path d={pinnaOutline} />
        <path className={styles.vein} d={pinnaRib} />
      </g>
      <path d="M112 150C160 138 226 200 226 262Q226 304 188 306H92Q104 270 88 236Q74 196 84 160Z" />
      <path className={styles.cut} d={`${leaf(112, 156, 104, 236, 26)}${leaf(124, 312, 122, 226, 5)}`} />
      <path
        d={`${leaf(96, 200, 100, 310, 15, 13)}${leaf(138, 190, 140, 310, 12, 14)}${leaf(116, 304, 70, 304, 6)}${leaf(128, 304, 176, 304, 6)}`}
      />
      <path d={leaf(112, 150, 106, 226, 21)} />
      <path d={`${leaf(62, 76, 40, 0, 19, 17)}${leaf(146, 76, 168, 0, 17, 19)}`} />
      <path className={styles.cut} d={`${leaf(66, 66, 50, 22, 6)}${leaf(142, 66, 158, 22, 6)}`} />
      <path d="M104 174Q84 138 12 108Q52 94 60 70Q104 50 148 70Q156 94 196 108Q124 138 104 174Z" />
      <path
        className={styles.vein}
        d="M104 164Q86 122 40 106M104 164Q122 122 168 106M104 164V84M84 136L66 128M124 136L142 128M106 220V168M106 206L96 192M106 206L116 192M168 190Q206 226 202 296M186 212L170 240M198 238L178 266M204 264L188 288M178 202L198 210M193 226L216 236M202 254L224 262"
      />
      <path className={styles.cut} d={`${leaf(64, 105, 90, 109, 6, 5)}${leaf(144, 105, 118, 109, 5, 6)}`} />
      <circle className={styles.cut} cx="104" cy="166" r="8" />
    </svg>
  );
}
