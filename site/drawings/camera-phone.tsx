import { scenes } from "#content/projects";
import styles from "./camera-phone.module.css";
import { leafPath } from "./leaf-path";
import strokes from "./strokes.module.css";

/** A phone whose camera has found a fox. The description of the scene says so, too. */
export function CameraPhone() {
  return (
    <div className={styles.phone}>
      <div className={styles.found}>
        <svg className={styles.viewfinder} viewBox="0 0 100 100" aria-hidden="true">
          <path d="M1 14V7Q1 1 7 1H14M86 1H93Q99 1 99 7V14M99 86V93Q99 99 93 99H86M14 99H7Q1 99 1 93V86" />
        </svg>
        <Fox />
      </div>
      <span className={`caption strong ${styles.name}`} aria-hidden="true">
        <svg viewBox="0 0 24 24" aria-hidden="true">
          <path d={leafPath(5, 20, 20, 4, 6)} />
        </svg>
        {scenes.trail.found}
      </span>
    </div>
  );
}

/** A young fox that sits and smiles at the visitor. Ears, chest and tail are leaves; fine lines are their veins. */
function Fox() {
  return (
    <svg className={styles.fox} viewBox="0 0 320 320" aria-hidden="true">
      <use href="#pinna" transform="translate(204 304) rotate(-52) scale(1.6 3.3)" />
      <path d="M104 180C86 220 90 262 98 308H214C238 308 246 286 238 258 230 222 206 198 190 178ZM98 306a26 13 0 0 0 52 0 26 13 0 0 0-52 0ZM150 306a26 13 0 0 0 52 0 26 13 0 0 0-52 0Z" />
      <path
        className={strokes.rib}
        d="M232 304Q206 300 200 262M122 232V292M178 232V292M150 258V318M117 316V306M131 317V306M169 317V306M183 316V306"
      />
      <path className={styles.pale} d={leafPath(148, 172, 148, 268, 28)} />
      <path d={`${leafPath(98, 96, 62, 8, 27, 25)}${leafPath(198, 96, 234, 8, 25, 27)}`} />
      <path className={strokes.cut} d={`${leafPath(94, 84, 70, 28, 12)}${leafPath(202, 84, 226, 28, 12)}`} />
      <path d="M148 206C124 206 104 188 88 172Q60 168 38 144 56 142 64 126C68 84 104 60 148 60S228 84 232 126Q240 142 258 144 236 168 208 172C192 188 172 206 148 206Z" />
      <path
        className={styles.pale}
        d="M148 206C124 206 104 188 88 172Q60 168 38 144 56 142 63 130 96 124 118 144 136 158 148 158T178 144Q200 124 233 130 240 142 258 144 236 168 208 172C192 188 172 206 148 206Z"
      />
      <path
        className={strokes.rib}
        d="M148 66V106M148 98L134 84M148 98L162 84M96 96Q108 86 120 93M200 96Q188 86 176 93M148 172V182M128 180Q138 194 148 182 158 194 168 180"
      />
      <path
        className={strokes.cut}
        d="M95 124a14 15 0 1 1 28 0 14 15 0 1 1-28 0ZM173 124a14 15 0 1 1 28 0 14 15 0 1 1-28 0ZM135 162Q148 154 161 162 160 174 148 176 136 174 135 162Z"
      />
      <path className={styles.light} d="M113 118h.1M191 118h.1" />
    </svg>
  );
}
