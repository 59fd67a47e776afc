import { brand } from "./brand.ts";

/** The titles of the two legal texts. */
export const legalTitles = { privacyPolicy: "Privacy policy", termsOfService: "Terms of service" } as const;

/** The values of the placeholders in `legal/*.md`. */
export const legalWords = {
  company: brand.legalName,
  app: brand.app,
  email: brand.email,
  address: brand.postalAddress,
  // The defaults of CONTACT_MONTHS and SPAM_DAYS: who changes the settings changes these.
  contactMonths: "24",
  spamDays: "30",
} as const;
