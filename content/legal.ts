import { brand } from "./brand.ts";
import { keepsSources } from "./visit-sources.ts";

/** What stands above the two texts of `legal/`: change the dates with a text. */
export const legalTexts = {
  privacyPolicy: { title: "Privacy policy", effectiveDate: "01.09.2025", lastUpdated: "05.09.2025" },
  termsOfService: { title: "Terms of service", effectiveDate: "01.09.2025", lastUpdated: "05.09.2025" },
} as const;

/**
 * How long contacts are kept: the server removes them then, and the privacy policy says so. Its settings CONTACT_MONTHS and
 * SPAM_DAYS overrule these numbers without changing the policy, and 0 keeps for good; `npm run doctor` compares. In a hosted
 * project a cron job with numbers of its own removes them: write these there too (docs/hosted-supabase.md).
 */
export const retention = { contactMonths: 24, spamDays: 30 };

/** The values of the placeholders in `legal/*.md`, besides the dates. */
export const legalWords = {
  company: brand.legalName,
  app: brand.app,
  email: brand.email,
  address: brand.postalAddress,
  contactMonths: String(retention.contactMonths),
  spamDays: String(retention.spamDays),
  // Not shown: it decides about {if sources}.
  sources: keepsSources ? "on" : "",
} as const;
