import { brand } from "#content/brand";
import { hero } from "#content/landing";
import type { PageWords } from "#content/page-titles";

/** The image of a shared link (og:image) has the size that social networks show uncropped. */
export const cardSize = { width: 1200, height: 630 } as const;

/** The image beside links to a page. All pages but articles share one. */
export function socialCardImage({ path, article }: PageWords) {
  if (article) return { path: `${path}.png`, alt: `${brand.name}: ${article.headline}` };
  return { path: "/social-card.png", alt: `${brand.name}: ${hero.headline.join(" ")}. ${hero.figure}.` };
}
