import { CameraPhone } from "./camera-phone";
import { ForestLayers } from "./forest-layers";
import { leafPath } from "./leaf-path";
import styles from "./trail-scene.module.css";

/** The parts are placed one by one, so that each window shows all animals. */
export function TrailScene() {
  return (
    <div className={styles.trail}>
      <ForestLayers />
      <Deer />
      <CameraPhone />
    </div>
  );
}

/** The moon, and a deer before it. Its antlers are leaflets. */
function Deer() {
  return (
    <svg className={styles.deer} viewBox="0 0 300 300" aria-hidden="true">
      <circle className={styles.moon} cx="150" cy="146" r="146" />
      <path className={styles.ground} d="M63 264Q150 252 237 264A146 146 0 0 1 63 264Z" />
      <path d="M84 158C100 142 146 152 170 146C186 136 192 116 196 96Q208 80 226 90L246 106Q249 114 240 114L218 117C213 132 209 150 200 168Q198 186 192 198L188 228 191 272H181L178 228 172 202 168 230 173 272H163L158 230 154 196Q134 202 118 194L110 218 106 232 113 272H103L95 232 99 206 87 222 83 236 89 272H79L72 234Q80 212 78 192 76 172 84 158Z" />
      <path d={`${leafPath(88, 160, 68, 180, 6)}${leafPath(204, 96, 176, 84, 8)}`} />
      <path className={styles.spots} d="M104 162h.1M118 172h.1M130 160h.1M146 170h.1M158 160h.1" />
      <use href="#pinna" transform="translate(204 92) rotate(-118) scale(.72 .9)" />
      <use href="#pinna" transform="translate(208 90) rotate(-72) scale(.7 -.9)" />
    </svg>
  );
}
