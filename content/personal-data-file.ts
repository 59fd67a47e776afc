import { brand } from "./brand.ts";

/** Texts of the file with everything about one email address, and of the button for it. */
export const personalDataFileWords = {
  title: "Everything the contact form has stored about this address",
  lead: "Use this when someone asks what is stored about them. If they have an account, it is not included.",
  save: "Save as a file",
  saving: "Collecting…",
  saved: (contacts: string) => `Saved, with ${contacts}.`,
  failed: "The file could not be made. Please try again.",
  filename: (address: string, date: string) => `stored-about-${address}-${date}.json`,
  about: (address: string) => `What ${brand.legalName} has stored about ${address} through its contact form.`,
  /** What an administrator cannot read; the file names it, so that nothing is promised that it does not hold. */
  elsewhere: (address: string) =>
    `This file does not include an account with this address, its logins and log entries, or emails that are waiting to be sent. The operator of the server can export those with: npm run admin -- export ${address}. Backups may still hold older data.`,
} as const;
