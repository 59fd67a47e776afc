import { readSettings } from "../settings.ts";
import { findPlaceholders, readContent, siteUrlPlaceholders } from "./find-placeholders.ts";
import { runCommand } from "./report-problem.ts";

/** `npm run placeholders`: lists the placeholders to replace before going live, with file and line. */
await runCommand(async () => {
  const found = [...findPlaceholders(await readContent()), ...siteUrlPlaceholders(readSettings().siteUrl)];
  if (found.length === 0) return console.log("Nothing is left to replace.");

  const width = Math.max(...found.map(({ location }) => location.length));
  console.log("Before going live, make these your own:\n");
  for (const { location, text, reason } of found)
    console.log(`  ${location.padEnd(width)}  ${text}\n  ${"".padEnd(width)}  ${reason}`);
  console.log(`\n${found.length} to replace.`);
});
