import { retention } from "#content/legal";
import type { Settings } from "#server/settings";
import { findPlaceholders } from "./find-placeholders.ts";
import { type Candidate, countOf, type Finding, findingsOf, listOf, look, ok } from "./finding.ts";

type Retention = Pick<Settings, "contactMonths" | "spamDays">;

/** What an owner must replace in `content/`, and whether the privacy policy says how long contacts are kept. */
export async function checkContent(settings: Retention & Pick<Settings, "hostedUrl">): Promise<Finding[]> {
  const left = await findPlaceholders();
  return findingsOf(
    left.length === 0
      ? ok("Nothing in content/ is as shipped.")
      : look(
          `${countOf(left.length, "text")} in content/ as shipped, such as ${listOf(left.slice(0, 2).map(({ location }) => location))}.`,
          "npm run placeholders lists them, with file and line.",
        ),
    ...compareRetention(settings, retention),
  );
}

/** In a hosted project, pg_cron removes contacts by numbers of its own (docs/hosted-supabase.md#removing-expired-contacts). */
const numbersOfCronJob: Retention = { contactMonths: 24, spamDays: 30 };

export function compareRetention(
  { hostedUrl, ...settings }: Retention & Pick<Settings, "hostedUrl">,
  promised: Retention,
): Candidate[] {
  const { contactMonths, spamDays } = promised;
  if (hostedUrl !== undefined)
    return [
      (contactMonths !== numbersOfCronJob.contactMonths || spamDays !== numbersOfCronJob.spamDays) &&
        look(
          `The privacy policy promises ${contactMonths} months and ${spamDays} days, and the documented cron job of the project keeps contacts for ${numbersOfCronJob.contactMonths} and ${numbersOfCronJob.spamDays}.`,
          `Write remove_expired_contacts(${contactMonths}, ${spamDays}) into the job (docs/hosted-supabase.md).`,
        ),
    ];
  const numbers = [
    ["CONTACT_MONTHS", settings.contactMonths, contactMonths],
    ["SPAM_DAYS", settings.spamDays, spamDays],
  ] as const;
  return numbers.map(
    ([name, kept, promise]) =>
      kept !== promise &&
      look(
        `The privacy policy promises ${promise}, and ${name} is ${kept}.`,
        "Change content/legal.ts or the setting, and build again.",
      ),
  );
}
