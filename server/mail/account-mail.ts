import { letters } from "#content/mails";
import { asHtml, asText, type Letter, type Message } from "./mail-template.ts";

/** What the owner of an account should read. */
export interface AccountMail {
  kind: keyof typeof letters;
  to: string;
  /** Where the one button leads. */
  link: string;
  /** Six digits that can be typed instead. */
  code?: string;
  /** What it tells of, each with its name. */
  facts?: Letter["facts"] | undefined;
}

export function writeAccountMail({ kind, to, facts = [], ...enclosed }: AccountMail): Omit<Message, "from"> {
  const letter = { ...letters[kind], facts };
  return { to, subject: letter.subject, text: asText(letter, enclosed), html: asHtml(letter, enclosed) };
}
