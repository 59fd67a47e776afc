import { brand } from "./brand.ts";
import { keepsSources } from "./visit-sources.ts";

/** What stands above the two texts of `legal/`: change the dates with a text. */
export const legalTexts = {
  privacyPolicy: { title: "Privacy policy", effectiveDate: "01.09.2025", lastUpdated: "05.09.2025" },
  termsOfService: { title: "Terms of service", effectiveDate: "01.09.2025", lastUpdated: "05.09.2025" },
} as const;

/** The values of the placeholders in `legal/*.md`, besides the dates. */
export const legalWords = {
  company: brand.legalName,
  app: brand.app,
  email: brand.email,
  address: brand.postalAddress,
  // The defaults of CONTACT_MONTHS and SPAM_DAYS: who changes the settings changes these.
  contactMonths: "24",
  spamDays: "30",
  // Not shown: it decides about {if sources}.
  sources: keepsSources ? "on" : "",
} as const;
