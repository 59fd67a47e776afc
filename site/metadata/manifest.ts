import { brand } from "#content/brand";
import { language } from "#content/language";
import { landing } from "#content/page-titles";
import { light } from "../styles/colours";

/** Name and icons for a home screen. `display: browser`: the site opens as a page, not as an installed app. */
export function manifest() {
  const icon = (name: string, size: number, purpose: "any" | "maskable") => ({
    src: `/${name}.png`,
    sizes: `${size}x${size}`,
    type: "image/png",
    purpose,
  });
  return {
    id: "/",
    name: brand.name,
    short_name: brand.name,
    description: landing.description,
    lang: language,
    start_url: "/",
    display: "browser",
    background_color: light.ground,
    theme_color: light.ground,
    icons: [icon("icon-192", 192, "any"), icon("icon-512", 512, "any"), icon("icon-maskable-512", 512, "maskable")],
  };
}
