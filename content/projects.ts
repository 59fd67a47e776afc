import { brand } from "./brand.ts";

export interface Project {
  /** The slug is part of an id in the public structured data, so it must not change once published. */
  slug: string;
  name: string;
  description: string;
  status?: string;
  link?: { href: string; text: string };
  /** One of the site's own drawings. A project without a scene and without a picture gets the seedling. */
  scene?: SceneName;
  /** A picture in place of the drawing. `file` is a name in content/pictures/, `alt` says what the picture shows. */
  picture?: { file: string; alt: string };
  /** The line below the picture. The page puts the number of the figure before it. */
  caption: string;
  /** For an application: its kind, for search engines, in the words of https://schema.org/applicationCategory. */
  category?: string;
}

export type SceneName = keyof typeof scenes;

/**
 * The drawings to choose from, and their words. `alt` tells a visitor who does not see the drawing what it shows; the cards
 * have a name each instead.
 */
export const scenes = {
  trail: {
    alt: "A forest of ferns at night, with an owl, and a deer with fern antlers before the moon. The camera of a phone shows a fox whose tail is a leaf.",
    /** The name that the phone shows. */
    found: "Fox",
  },
  cards: {
    hint: "Turn over two cards to find a pair.",
    card: "Card",
    reset: "Start again",
    pictures: {
      hedgehog: "Hedgehog",
      kettle: "Kettle",
      leaf: "Leaf",
      snail: "Snail",
      boat: "Sailing boat",
      tram: "Tram",
    },
  },
  map: {
    alt: "A map with a country in the shape of a leaf, with rivers as its veins. A pin marks the capital, and two flags stand at the borders.",
  },
  seedling: { alt: "A seedling with two leaves" },
} as const;

const all: readonly Project[] = [
  {
    slug: "nature-discovery",
    name: brand.app,
    description: "An educational app about nature that takes families outdoors.",
    status: "App, website and channels to come",
    link: { href: brand.appAddress, text: `Visit ${brand.app}` },
    scene: "trail",
    caption: "The app names what the camera sees",
    category: "EducationalApplication",
  },
  {
    slug: "memory-game",
    name: "Spot & Recall",
    description: "A memory game of animals, plants, vehicles and everyday objects.",
    status: "In development",
    scene: "cards",
    caption: "Twelve cards, six pairs",
    category: "GameApplication",
  },
  {
    slug: "geography-game",
    name: "Atlas Quest",
    description: "A geography game of flags, capitals and country shapes, in several modes.",
    status: "In development",
    scene: "map",
    caption: "A country, its capital and two flags",
    category: "GameApplication",
  },
];

/**
 * The projects, in the order in which the landing page shows them. The first one fills the width of the window. An owner
 * without an app has no project of that name.
 */
export const projects = all.filter(({ name }) => name);
