import type { Project } from "#content/projects";
import { CardsScene } from "./cards-scene";
import { MapScene } from "./map-scene";
import { TrailScene } from "./trail-scene";

const scenes = { "nature-discovery": TrailScene, "memory-game": CardsScene, "geography-game": MapScene };

/** A scene has the same colours in both colour schemes. */
export function ProjectScene({ of, title }: { of: Project["slug"]; title: string }) {
  const Scene = scenes[of];
  return (
    <svg viewBox="0 0 640 440" width="640" height="440" role="img" aria-label={title}>
      <Scene />
    </svg>
  );
}
