import { brand } from "./brand.ts";

export interface Project {
  /** The slug is part of an id in the public structured data, so it must not change once published. */
  slug: "nature-discovery" | "memory-game" | "geography-game";
  name: string;
  description: string;
  status?: string;
  link?: { href: string; text: string };
  imageAlt: string;
  /** The line below the drawing. Figure numbers begin at 2, because the drawing at the top of the page is figure 1. */
  caption: string;
}

/** The projects, in the order in which the landing page shows them. */
export const projects: readonly Project[] = [
  {
    slug: "nature-discovery",
    name: brand.app,
    description:
      "An educational app that takes families outdoors: point the camera at what lives along the path, learn its name, keep it in your field book. Around it grows an ecosystem of app, website and channels.",
    status: "App, website and channels are being built",
    link: { href: brand.appAddress, text: `Visit ${brand.app}` },
    imageAlt:
      "A forest trail at dusk with a deer and an owl in silhouette; a phone's viewfinder frames a fox between the ferns.",
    caption: "Fig. 2. The fox gets its name; the deer is still waiting",
  },
  {
    slug: "memory-game",
    name: "Spot & Recall",
    description:
      "A memorisation game for sharp eyes of any age. Look closely, turn the card, and recall which animal, plant, vehicle or everyday object you saw.",
    imageAlt:
      "A board of twelve cards, most of them face down; four lie open and show a hedgehog, a leaf, a tram and a kettle.",
    caption: "Fig. 3. Four open, eight to remember",
  },
  {
    slug: "geography-game",
    name: "Atlas Quest",
    description:
      "Flags, capitals and the shapes of countries, in several game modes: race the clock, travel from border to border, or find the one that does not belong.",
    imageAlt: "A folded paper map with the outline of a country, a pin at its capital, and two small flags.",
    caption: "Fig. 4. A capital, found on the second try",
  },
];
