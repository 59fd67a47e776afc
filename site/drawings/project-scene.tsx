import { type SceneName, scenes } from "#content/projects";
import { CardsScene } from "./cards-scene";
import { leafPath } from "./leaf-path";
import { MapScene } from "./map-scene";
import styles from "./project-scene.module.css";
import strokes from "./strokes.module.css";
import { TrailScene } from "./trail-scene";

const drawings = { trail: TrailScene, cards: CardsScene, map: MapScene, seedling: Seedling };

export function ProjectScene({ of }: { of: SceneName }) {
  const Drawing = drawings[of];
  return <Drawing />;
}

/** The drawing of a project that has neither a scene nor a picture. */
function Seedling() {
  return (
    <svg className={styles.seedling} viewBox="0 0 560 400" role="img" aria-label={scenes.seedling.alt}>
      <path className={strokes.line} d="M-900 340H1500" />
      <path d="M275 340Q284 250 279 190Q290 250 285 340Z" />
      <path d={`${leafPath(280, 224, 448, 108, 44)}${leafPath(280, 250, 120, 168, 38)}`} />
      <path d={leafPath(280, 196, 268, 120, 12, 14)} />
      <path className={strokes.rib} d="M284 220Q360 172 430 122M276 248Q200 214 140 178M280 192L270 134" />
      <circle className={strokes.node} cx="280" cy="340" r="6" />
    </svg>
  );
}
