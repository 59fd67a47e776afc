import { brand } from "#content/brand";
import { hero } from "#content/landing";

/** The picture beside a shared link; its size is what every network shows without cutting it. */
export const card = {
  path: "/social-card.png",
  width: 1200,
  height: 630,
  alt: `${brand.name}: ${hero.headline.join(" ")}. ${hero.figure}.`,
} as const;
