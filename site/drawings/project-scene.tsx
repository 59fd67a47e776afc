import type { SceneName } from "#content/projects";
import { CardsScene } from "./cards-scene";
import { MapScene } from "./map-scene";
import { Seedling } from "./seedling";
import { TrailScene } from "./trail-scene";

const drawings = { trail: TrailScene, cards: CardsScene, map: MapScene, seedling: Seedling };

export function ProjectScene({ of }: { of: SceneName }) {
  const Drawing = drawings[of];
  return <Drawing />;
}
