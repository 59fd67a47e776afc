import { brand } from "#content/brand";
import { hero } from "#content/landing";

/** The image of a shared link (og:image), in the size that social networks show uncropped. */
export const socialCardImage = {
  path: "/social-card.png",
  width: 1200,
  height: 630,
  alt: `${brand.name}: ${hero.headline.join(" ")}. ${hero.figure}.`,
} as const;
