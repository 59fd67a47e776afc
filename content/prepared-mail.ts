import { brand } from "./brand.ts";
import { contactWords } from "./contact.ts";

interface Answers {
  name: string;
  company: string;
  email: string;
  /** The label of the choice. */
  interest: string;
}

/** What the contact form offers if the server cannot take a contact (docs/specification.md#prepared-mail). */
export const preparedMail = {
  to: brand.email,
  text: {
    start:
      "Sorry, something went wrong. Everything you typed is still in the form, so you can press Send again later. Or send it as an email to ",
    end: ": we’ve already written it for you.",
  },
  open: "Open the email",
  copy: "Copy the text",
  copied: "Copied",
  notCopied: "Copying failed",
  subject: ({ name, company }: Answers) => `Contact from ${name}, ${company}`,
  lines: ({ name, company, email, interest }: Answers) => [
    `Hello ${brand.name},`,
    "",
    "Your contact form wasn’t working, so I’m sending this by email.",
    "",
    `${contactWords.name}: ${name}`,
    `${contactWords.company}: ${company}`,
    `${contactWords.email}: ${email}`,
    `${contactWords.interest} ${interest}`,
    "",
  ],
} as const;

/** The server answers this where it cannot pass a contact on to a hosted project. A getter, so that no page loads it. */
export const hostedMessages = {
  get notSaved() {
    return `Your details could not be saved. Please write to ${brand.email} instead.`;
  },
} as const;
