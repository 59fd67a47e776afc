import { stopDeadlineSeconds } from "#process/shutdown";
import { runInTerminal } from "./terminal.ts";

/** `npm run build`: builds the site as files, for a CDN or a preview, prints where they are, and warns of colours. */
process.exitCode = await runInTerminal({}, async ({ environment, print }, shutdown) => {
  // Static imports of a file with a syntax error would end this process with a stack trace.
  const { brandColours } = await import("#content/brand");
  const { contrastProblems } = await import("#site/styles/colour-checks.ts");
  const { ensureBuilt } = await import("#server/static-site/ensure-built");
  const { readSettings } = await import("#server/settings");
  const settings = readSettings(environment);
  const building = ensureBuilt(settings, () => print(`Building the site for ${settings.siteUrl}.`), shutdown.signal);
  shutdown.add({ name: "the build", deadlineSeconds: stopDeadlineSeconds.work, close: () => building.catch(() => {}) });
  const built = await building;
  print(`${built ? "Built" : "Nothing has changed since the last build"}: ${settings.buildDir}`);
  for (const problem of contrastProblems(brandColours)) print(`Colours: ${problem}`);
});
