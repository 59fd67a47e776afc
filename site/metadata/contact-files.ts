import { brand } from "#content/brand";
import { language } from "#content/language";
import { termsOfService } from "#content/page-titles";

const dayMilliseconds = 24 * 60 * 60 * 1000;
/** RFC 9116, section 2.5.5, recommends that the file expires in less than a year. */
export const validDays = 350;

/** security.txt, the contact for reports of vulnerabilities (RFC 9116). */
export function securityContact(site: URL, builtAt = buildTime()): string {
  const expires = new Date(builtAt.getTime() + validDays * dayMilliseconds);
  return [
    `Contact: mailto:${brand.email}`,
    `Expires: ${expires.toISOString().slice(0, 10)}T00:00:00Z`,
    `Preferred-Languages: ${new Intl.Locale(language).language}`,
    `Canonical: ${new URL("/.well-known/security.txt", site)}`,
    `Policy: ${new URL(termsOfService.path, site)}`,
    "",
  ].join("\n");
}

/** With SOURCE_DATE_EPOCH (reproducible-builds.org), a build on another day has the same bytes. */
function buildTime(): Date {
  const { SOURCE_DATE_EPOCH: seconds } = process.env;
  return seconds ? new Date(Number(seconds) * 1000) : new Date();
}

/** humans.txt (humanstxt.org). The build copies the licences of the typefaces from the font packages. */
export function humans(site: URL): string {
  return [
    "/* TEAM */",
    `${brand.legalName}: ${brand.tagline}`,
    `Contact: ${brand.email}`,
    `Site: ${site.href}`,
    "",
    "/* SITE */",
    `Language: ${new Intl.DisplayNames("en", { type: "language" }).of(new Intl.Locale(language).language)}`,
    "Typefaces (both under the SIL Open Font License):",
    `Fraunces: ${new URL("/fonts/LICENSE-fraunces.txt", site)}`,
    `Figtree: ${new URL("/fonts/LICENSE-figtree.txt", site)}`,
    "Drawings: made for this site",
    "",
  ].join("\n");
}
