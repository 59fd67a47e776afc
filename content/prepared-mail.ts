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
      "Sorry, something went wrong on the way to us. Nothing you typed is lost: it stays in this form, and you can press Send again in a minute. Or send it as an email to ",
    end: ": we have already written it for you.",
  },
  open: "Open the email",
  copy: "Copy its text",
  copied: "Copied",
  notCopied: "Could not be copied",
  subject: ({ name, company }: Answers) => `Contact from ${name}, ${company}`,
  lines: ({ name, company, email, interest }: Answers) => [
    `Hello ${brand.name},`,
    "",
    "Your contact form did not take this, so I am sending it as an email.",
    "",
    `${contactWords.name}: ${name}`,
    `${contactWords.company}: ${company}`,
    `${contactWords.email}: ${email}`,
    `${contactWords.interest} ${interest}`,
    "",
  ],
} as const;
