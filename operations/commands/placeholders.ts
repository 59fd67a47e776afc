import { brandColours } from "#content/brand";
import { findPlaceholders } from "#operations/doctor/find-placeholders";
import { contrastProblems } from "#site/styles/colour-checks.ts";
import { runInTerminal } from "./terminal.ts";

/** `npm run placeholders`: lists what is still as shipped in `content/`, with file and line. */
process.exitCode = await runInTerminal({}, async ({ print }) => {
  const found = await findPlaceholders();
  const width = Math.max(0, ...found.map(({ location }) => location.length));
  for (const { location, text, advice } of found)
    print(`  ${location.padEnd(width)}  ${text}\n  ${"".padEnd(width)}  ${advice}`);
  for (const problem of contrastProblems(brandColours)) print(`Colours: ${problem}`);
  print(
    found.length === 0
      ? "Nothing in content/ is as shipped."
      : `\n${found.length} texts are as shipped. Make them your own; what is right for you, take off the list in content/placeholders.ts.`,
  );
});
