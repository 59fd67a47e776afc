import { brand } from "./brand.ts";

/** The titles above the two legal texts. */
export const legalTitles = { privacyPolicy: "Privacy policy", termsOfService: "Terms of service" } as const;

/** What the braces in `legal/*.md` stand for. */
export const legalWords = {
  company: brand.legalName,
  app: brand.app,
  email: brand.email,
  address: brand.postalAddress,
} as const;
