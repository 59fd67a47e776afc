import type { APIRoute, GetStaticPaths } from "astro";
import { readCaseStudies } from "../case-studies";
import { humans, securityContact } from "../metadata/contact-files";
import { faviconIco, iconPng, iconSvg, icons } from "../metadata/icons";
import { manifest } from "../metadata/manifest";
import { robots, sitemap } from "../metadata/sitemap";
import { socialCard, socialCardOf } from "../metadata/social-card";

const caseStudies = await readCaseStudies();

/** The files beside the pages, by path. */
const files: Readonly<Record<string, (site: URL) => BodyInit | Promise<BodyInit>>> = {
  ".well-known/security.txt": (site) => securityContact(site),
  "favicon.ico": faviconIco,
  // Only `npm run dev` needs this type: our server derives it from the file's extension.
  "favicon.svg": async () => new Blob([await iconSvg()], { type: "image/svg+xml" }),
  "humans.txt": humans,
  "robots.txt": robots,
  "site.webmanifest": () => JSON.stringify(manifest()),
  "sitemap.xml": (site) =>
    sitemap(
      site,
      caseStudies.map(({ page }) => page),
    ),
  "social-card.png": socialCard,
  ...Object.fromEntries(caseStudies.map(({ page, title }) => [`${page.path.slice(1)}.png`, () => socialCardOf(title)])),
  ...Object.fromEntries(Object.entries(icons).map(([name, icon]) => [`${name}.png`, () => iconPng(icon)])),
};

export const getStaticPaths: GetStaticPaths = () => Object.keys(files).map((file) => ({ params: { file } }));

export const GET: APIRoute = async ({ params: { file = "" }, url }) =>
  new Response(await files[file]?.(new URL(url.origin)));
