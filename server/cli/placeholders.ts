import {
  findClaims,
  findPlaceholders,
  type Placeholder,
  readContent,
  siteUrlPlaceholders,
} from "../doctor/find-placeholders.ts";
import { readSettings } from "../settings.ts";
import { runCommand } from "./report-problem.ts";

/** `npm run placeholders`: lists what to replace or to prove before going live, with file and line. */
await runCommand(async () => {
  const content = await readContent();
  const found = [...findPlaceholders(content), ...siteUrlPlaceholders(readSettings().siteUrl)];
  const claims = findClaims(content);
  if (found.length + claims.length === 0) return console.log("Nothing is left to replace.");

  if (found.length > 0) printList("Before going live, make these your own:", found);
  if (claims.length > 0) {
    printList("Visitors read these as facts about your company. Can you prove each?", claims);
    console.log("A comment above the line that holds “proof:” and where the proof is takes it off this list.\n");
  }
  console.log(`${found.length} to replace, ${claims.length} to prove.`);
});

function printList(title: string, found: readonly Placeholder[]) {
  const width = Math.max(...found.map(({ location }) => location.length));
  console.log(`${title}\n`);
  for (const { location, text, reason } of found)
    console.log(`  ${location.padEnd(width)}  ${text}\n  ${"".padEnd(width)}  ${reason}`);
  console.log("");
}
