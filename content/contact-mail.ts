import { brand } from "./brand.ts";

/** The mail about a new contact; it goes to the addresses in NOTIFY_TO. The names of the fields are in `inbox.ts`. */
export const contactMail = {
  subject: (name: string, interest: string) => `${name}: ${interest}`,
  paragraphs: (name: string) => [`${name} wrote through the contact form of ${brand.name}.`],
  button: "Open the list of contacts",
  canReply: (name: string) => `Reply to this mail to answer ${name}.`,
  cannotReply:
    "The address is an unusual one, so that a reply to this mail would not reach it: please copy it by hand.",
} as const;
