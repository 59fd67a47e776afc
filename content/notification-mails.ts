import { brand } from "./brand.ts";
import { workWords } from "./inbox.ts";

/** The mail about a new contact; it goes to the addresses in NOTIFY_TO. The names of the fields are in `inbox.ts`. */
export const contactMail = {
  /**
   * A reply goes to the visitor under "Re:" and this subject. The visitor's own text comes last, so that it cannot pass for
   * a subject of ours.
   */
  subject: (name: string, company: string) => `${workWords.replySubject} (${company ? `${name}, ${company}` : name})`,
  paragraphs: (name: string) => [`${name} has contacted ${brand.name} through the contact form.`],
  button: "Open this contact",
  canReply: (name: string) => `To answer ${name}, just reply to this email.`,
  cannotReply:
    "A reply to this email wouldn’t reach the visitor, because the address is written in an unusual way. Please copy the address into a new email.",
} as const;

/** The mail about several contacts, when there are more in an hour than CONTACT_MAILS_PER_HOUR. */
export const contactDigestMail = {
  subject: (count: number) => `${count} more ${count === 1 ? "contact" : "contacts"} in the inbox`,
  paragraphs: (count: number) => [
    count === 1
      ? `One more contact has arrived through the ${brand.name} contact form.`
      : `${count} more contacts have arrived through the ${brand.name} contact form.`,
  ],
  button: "Open the contacts",
  remark: (mailsPerHourMax: number) =>
    `After ${mailsPerHourMax === 1 ? "one email" : `${mailsPerHourMax} emails`} about individual contacts in an hour, you only get a count of the rest.`,
} as const;
