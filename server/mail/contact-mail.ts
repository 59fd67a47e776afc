import { createHash } from "node:crypto";
import { domainToASCII } from "node:url";
import { contactWords, findInterestLabel } from "#content/contact";
import { inboxWords } from "#content/inbox";
import { language } from "#content/language";
import { contactDigestMail, contactMail } from "#content/notification-mails";
import type { Rows } from "#server/rows";
import { isPlainEmail } from "#validation/email-address";
import { type MailTemplate, type Message, renderHtml, renderText } from "./mail-template.ts";

export type Contact = Pick<Rows["public.contacts"], "id" | "name" | "company" | "email" | "interest" | "submitted_at">;

/** An address of NOTIFY_TO, and the site whose inbox its mail opens. */
interface Recipient {
  to: string;
  siteUrl: string;
}

/** The URL that the mail's button opens: the address of a contact in the inbox, or the inbox. */
export function inboxUrl(siteUrl: string, contactId?: string): string {
  return `${siteUrl}/admin/contacts${contactId ? `?contact=${contactId}` : ""}`;
}

/** The mail about a contact, for one recipient of NOTIFY_TO. A reply to this mail goes to the visitor. */
export function writeContactMail(contact: Contact, recipient: Recipient): Omit<Message, "from"> {
  const name = inOneLine(contact.name);
  const address = replyAddress(contact.email);
  const template = templateFor(contact, { name, canReply: address !== undefined });
  const link = inboxUrl(recipient.siteUrl, contact.id);
  const message = messageOf(template, { ...recipient, id: `contact.${contact.id}`, link });
  return { ...message, ...(address && { replyTo: { name, address } }) };
}

/** Contacts that have no mail of their own: how many there are of each interest. */
export interface ContactDigest {
  id: string;
  counts: Readonly<Record<string, number>>;
}

/** The mail that counts contacts, for one recipient of NOTIFY_TO. */
export function writeDigestMail(
  { id, counts }: ContactDigest,
  { mailsPerHourMax, ...recipient }: Recipient & { mailsPerHourMax: number },
): Omit<Message, "from"> {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const template = {
    subject: contactDigestMail.subject(total),
    paragraphs: contactDigestMail.paragraphs(total),
    details: contactWords.interests.flatMap(({ value, label }) => {
      const count = counts[value];
      return count ? [[label, String(count)] as const] : [];
    }),
    button: contactDigestMail.button,
    remark: contactDigestMail.remark(mailsPerHourMax),
  };
  return messageOf(template, { ...recipient, id: `digest.${id}`, link: inboxUrl(recipient.siteUrl) });
}

function templateFor(contact: Contact, { name, canReply }: { name: string; canReply: boolean }): MailTemplate {
  const { columns, noCompany } = inboxWords;
  const company = inOneLine(contact.company);
  return {
    subject: contactMail.subject(name, company),
    paragraphs: contactMail.paragraphs(name),
    details: [
      [columns.name, name],
      [columns.company, company || noCompany],
      [columns.email, inOneLine(contact.email)],
      [columns.interest, findInterestLabel(contact.interest) ?? contact.interest],
      [columns.sent, `${contact.submitted_at.toLocaleString(language, dateFormat)} UTC`],
    ],
    button: contactMail.button,
    remark: canReply ? contactMail.canReply(name) : contactMail.cannotReply,
  };
}

const dateFormat = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;

/**
 * Makes a visitor's text safe in a header: no line break (header injection), no bidirectional control (reordered text),
 * and no encoded word that a mail program would decode (RFC 2047).
 */
function inOneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .replaceAll("=?", "= ?")
    .trim();
}

/**
 * The address for Reply-To. Undefined if a mail program would not read it as exactly one address: after a comma, for
 * instance, a second address would begin.
 */
function replyAddress(email: string): string | undefined {
  const at = email.lastIndexOf("@");
  const address = `${email.slice(0, at)}@${domainToASCII(email.slice(at + 1))}`;
  return isPlainEmail(address) ? address : undefined;
}

/** The Message-ID is the same at each attempt, so that the recipient recognises a mail that arrives twice. */
function messageOf(
  template: MailTemplate,
  { to, siteUrl, id, link }: Recipient & { id: string; link: string },
): Omit<Message, "from"> {
  const toHash = createHash("sha256").update(to).digest("hex").slice(0, 16);
  return {
    to,
    subject: template.subject,
    text: renderText(template, { link }),
    html: renderHtml(template, { link }),
    messageId: `<${id}.${toHash}@${new URL(siteUrl).hostname}>`,
  };
}
