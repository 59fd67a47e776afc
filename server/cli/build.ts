import { brandColours } from "#content/brand";
import { contrastProblems } from "#content/colour-checks";
import { ensureBuilt } from "#server/pages/ensure-built";
import { readSettings } from "../settings.ts";
import { runCommand } from "./report-problem.ts";

/** `npm run build`: builds the site as files, for a CDN or a preview, prints where they are, and warns of colours. */
await runCommand(async () => {
  const settings = readSettings();
  const built = await ensureBuilt(settings, () => console.log(`Building the site for ${settings.siteUrl}.`));
  console.log(`${built ? "Built" : "Nothing has changed since the last build"}: ${settings.buildDir}`);
  for (const problem of contrastProblems(brandColours)) console.log(`Hard to read: ${problem}`);
});
