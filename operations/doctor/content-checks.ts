import { brandColours } from "#content/brand";
import { contrastProblems } from "#content/colour-checks";
import { legalWords } from "#content/legal";
import type { Settings } from "#server/settings";
import { refuseContentMistakes } from "#server/static-site/check-content";
import { findInContent, type Placeholder } from "./find-placeholders.ts";
import { broken, countOf, type Finding, findingsOf, listOf, look, ok } from "./finding.ts";

/** What the product ships with, and an owner must replace, or be able to prove. */
export async function checkContent({
  contactMonths,
  spamDays,
}: Pick<Settings, "contactMonths" | "spamDays">): Promise<Finding[]> {
  const { toReplace, toProve, creed, clauses } = await findInContent();
  const mistake = await refuseContentMistakes().catch(({ message }) => message);
  const toCheck = [...clauses, ...creed];
  const promised = [
    ["CONTACT_MONTHS", contactMonths, legalWords.contactMonths],
    ["SPAM_DAYS", spamDays, legalWords.spamDays],
  ] as const;
  return findingsOf(
    mistake && broken(`The site cannot be built: ${mistake}`, "Mend the file, and build again: npm run build"),
    toReplace.length === 0
      ? ok("No placeholder is left in content/.")
      : look(
          `${countOf(toReplace.length, "placeholder")} left in content/, such as ${placesOf(toReplace)}.`,
          "npm run placeholders lists them, with file and line.",
        ),
    toProve.length > 0 &&
      look(
        `${countOf(toProve.length, "claim")} about the company in content/, such as ${placesOf(toProve)}.`,
        "Can you prove each? npm run placeholders lists them, and what to do with one that is true.",
      ),
    toCheck.length > 0 &&
      look(
        `${countOf(toCheck.length, "sentence or date", "sentences and dates")} in content/ as shipped, such as ${placesOf(toCheck)}.`,
        "Do they hold for you, and in your country? npm run placeholders lists them.",
      ),
    ...contrastProblems(brandColours).map((problem) =>
      look(`Colours: ${problem}`, "Change the colours in content/brand.ts, and build again."),
    ),
    ...promised.map(
      ([name, kept, words]) =>
        String(kept) !== words &&
        look(
          `The privacy policy promises ${words}, and ${name} is ${kept}.`,
          "Change content/legal.ts or the setting, and build again.",
        ),
    ),
  );
}

function placesOf(found: readonly Placeholder[]): string {
  return listOf(found.slice(0, 2).map(({ location }) => location));
}
