import { brand } from "#content/brand";
import { termsOfService } from "#content/pages";

const dayMilliseconds = 24 * 60 * 60 * 1000;
/** RFC 9116, section 2.5.5, asks for less than a year. */
const validDays = 350;

/** Where someone who found a hole in the site can write (RFC 9116). The terms say what they may expect. */
export function securityContact(site: URL, builtAt: Date): string {
  const expires = new Date(builtAt.getTime() + validDays * dayMilliseconds);
  return [
    `Contact: mailto:${brand.email}`,
    `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
    "Preferred-Languages: en",
    `Canonical: ${new URL("/.well-known/security.txt", site)}`,
    `Policy: ${new URL(termsOfService.path, site)}`,
    "",
  ].join("\n");
}

/** Who made the site, for people who look behind it (humanstxt.org). */
export function humans(site: URL): string {
  return [
    "/* TEAM */",
    `${brand.legalName}: ${brand.tagline}`,
    `Contact: ${brand.email}`,
    `Site: ${site.href}`,
    "",
    "/* SITE */",
    "Language: English",
    "Typefaces: Fraunces and Figtree",
    "Drawings: made for this site",
    "",
  ].join("\n");
}
