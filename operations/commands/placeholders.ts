import { brandColours } from "#content/brand";
import { contrastProblems } from "#content/colour-checks";
import { findInContent, type Placeholder, siteUrlPlaceholders } from "#operations/doctor/find-placeholders";
import { print } from "#process/print";
import { readSettings } from "#server/settings";
import { runInTerminal } from "./terminal.ts";

/** `npm run placeholders`: lists what to replace, to prove or to check before going live, with file and line. */
process.exitCode = await runInTerminal({}, async ({ environment }) => {
  const { toReplace: placeholders, toProve, creed, clauses } = await findInContent();
  const toReplace = [...placeholders, ...siteUrlPlaceholders(readSettings(environment).siteUrl)];
  const toCheck = creed.length + clauses.length;

  printList("Make these your own:", toReplace);
  printList("Visitors read these as facts about your company. Prove each, or write another:", toProve);
  printList("These say what you believe. Keep one only if it is true of you:", creed);
  printList("Check these against the law of your country, and against what you really do:", clauses);
  if (toProve.length + toCheck > 0)
    print("A comment above a line takes it off the list: “proof:” and where the proof is, or “checked:”.");
  for (const problem of contrastProblems(brandColours)) print(`Colours: ${problem}`);
  print(
    "security.txt, made from the address in content/brand.ts, is valid for 350 days: build more often than that.\n",
  );
  print(`${toReplace.length} to replace, ${toProve.length} to prove, ${toCheck} to check.`);
});

function printList(title: string, found: readonly Placeholder[]) {
  if (found.length === 0) return;
  const width = Math.max(...found.map(({ location }) => location.length));
  print(`${title}\n`);
  for (const { location, text, reason } of found)
    print(`  ${location.padEnd(width)}  ${text}\n  ${"".padEnd(width)}  ${reason}`);
  print("");
}
