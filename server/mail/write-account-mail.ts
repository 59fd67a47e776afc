import { accountMails } from "#content/account-mails";
import { type MailTemplate, type Message, renderHtml, renderText } from "./mail-template.ts";

export interface AccountMail {
  kind: keyof typeof accountMails;
  to: string;
  /** The URL that the mail's button opens. */
  link: string;
  /** Six digits that can be typed instead of pressing the button. */
  code?: string;
  /** A table of details, such as the device of a sign-in. */
  facts?: MailTemplate["details"] | undefined;
}

export function writeAccountMail({ kind, to, facts = [], ...values }: AccountMail): Omit<Message, "from"> {
  const template = { ...accountMails[kind], details: facts };
  return { to, subject: template.subject, text: renderText(template, values), html: renderHtml(template, values) };
}
