import { accountMails } from "#content/mails";
import { type MailTemplate, type Message, renderHtml, renderText } from "./mail-template.ts";

/** What the owner of an account should read. */
export interface AccountMail {
  kind: keyof typeof accountMails;
  to: string;
  /** Where the one button leads. */
  link: string;
  /** Six digits that can be typed instead. */
  code?: string;
  /** What it tells of, each with its name. */
  facts?: MailTemplate["facts"] | undefined;
}

export function writeAccountMail({ kind, to, facts = [], ...enclosed }: AccountMail): Omit<Message, "from"> {
  const letter = { ...accountMails[kind], facts };
  return { to, subject: letter.subject, text: renderText(letter, enclosed), html: renderHtml(letter, enclosed) };
}
