import { asHtml, asText, type Message } from "./letter.ts";
import { letters } from "./words.ts";

/** What the owner of an account should read. */
export interface AccountMail {
  kind: keyof typeof letters;
  to: string;
  /** Where the one button leads. */
  link: string;
}

export function writeAccountMail({ kind, to, link }: AccountMail): Omit<Message, "from"> {
  const letter = letters[kind];
  return { to, subject: letter.subject, text: asText(letter, link), html: asHtml(letter, link) };
}
