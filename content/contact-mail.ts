import { brand } from "./brand.ts";

/** The mail about a new contact; it goes to the addresses in NOTIFY_TO. The names of the fields are in `inbox.ts`. */
export const contactMail = {
  subject: (name: string, interest: string) => `${name}: ${interest}`,
  paragraphs: (name: string) => [`${name} wrote through the contact form of ${brand.name}.`],
  button: "Open this contact",
  canReply: (name: string) => `Reply to this mail to answer ${name}.`,
  cannotReply:
    "The address is an unusual one, so that a reply to this mail would not reach it: please copy it by hand.",
} as const;

/** The mail about several contacts, when there are more in an hour than CONTACT_MAILS_PER_HOUR. */
export const contactDigestMail = {
  subject: (count: number) =>
    count === 1 ? "1 more contact is in the inbox" : `${count} more contacts are in the inbox`,
  paragraphs: (count: number) => [
    count === 1
      ? `One more contact came through the contact form of ${brand.name}.`
      : `${count} more contacts came through the contact form of ${brand.name}.`,
  ],
  button: "Open the list of contacts",
  remark: (mailsPerHourMax: number) =>
    `More than ${mailsPerHourMax === 1 ? "one contact" : `${mailsPerHourMax} contacts`} came within an hour, so this mail only counts the later ones.`,
} as const;
