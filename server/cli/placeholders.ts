import { readSettings } from "../settings.ts";
import { findPlaceholders, readContent, siteUrlPlaceholders } from "./find-placeholders.ts";

/** `npm run placeholders`: what an owner must make their own before going live, with file and line. */
const found = [...findPlaceholders(await readContent()), ...siteUrlPlaceholders(readSettings().siteUrl)];

if (found.length === 0) console.log("Nothing is left to replace.");
else {
  const width = Math.max(...found.map(({ place }) => place.length));
  console.log("Before going live, make these your own:\n");
  for (const { place, text, reason } of found)
    console.log(`  ${place.padEnd(width)}  ${text}\n  ${"".padEnd(width)}  ${reason}`);
  console.log(`\n${found.length} to replace.`);
}
