import { retention } from "#content/legal";
import type { Settings } from "#server/settings";
import { findPlaceholders } from "./find-placeholders.ts";
import { countOf, type Finding, findingsOf, listOf, look, ok } from "./finding.ts";

/** What an owner must replace in `content/`, and whether the privacy policy says what the settings do. */
export async function checkContent({
  contactMonths,
  spamDays,
}: Pick<Settings, "contactMonths" | "spamDays">): Promise<Finding[]> {
  const left = await findPlaceholders();
  const promised = [
    ["CONTACT_MONTHS", contactMonths, retention.contactMonths],
    ["SPAM_DAYS", spamDays, retention.spamDays],
  ] as const;
  return findingsOf(
    left.length === 0
      ? ok("Nothing in content/ is as shipped.")
      : look(
          `${countOf(left.length, "text")} in content/ as shipped, such as ${listOf(left.slice(0, 2).map(({ location }) => location))}.`,
          "npm run placeholders lists them, with file and line.",
        ),
    ...promised.map(
      ([name, kept, promise]) =>
        kept !== promise &&
        look(
          `The privacy policy promises ${promise}, and ${name} is ${kept}.`,
          "Change content/legal.ts or the setting, and build again.",
        ),
    ),
  );
}
